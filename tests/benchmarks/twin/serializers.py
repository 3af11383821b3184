"""What is sent, and the game as it is answered: the main fields of the product's own answer."""

from typing import Any

from rest_framework import serializers

from games.models import Game, Hand, Seat
from games.rules.cards import NAMES, card, names
from games.rules.ruleset import from_json
from games.rules.scoring import points
from games.rules.trick import Trick, legal_plays


class PlaySerializer(serializers.Serializer):
    card = serializers.ChoiceField(choices=NAMES)
    expected_version = serializers.IntegerField(required=False, min_value=0)


class SeatSerializer(serializers.ModelSerializer):
    seat = serializers.IntegerField(source="number")
    player = serializers.CharField(source="player.username", default=None)
    kind = serializers.CharField(source="player.kind", default="bot")
    score = serializers.SerializerMethodField()
    bid = serializers.SerializerMethodField()
    tricks = serializers.SerializerMethodField()
    cards = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = ["seat", "player", "kind", "bot_level", "drawn_card", "bid", "tricks", "cards", "score", "place"]
        fields += ["wants_to_finish"]

    def hand(self, seat: Seat) -> Hand:
        return self.context["hands"][seat.number]

    def get_score(self, seat: Seat) -> str:
        return points(seat.total_tenths)

    def get_bid(self, seat: Seat) -> int | None:
        return self.hand(seat).bid

    def get_tricks(self, seat: Seat) -> int:
        return self.hand(seat).tricks

    def get_cards(self, seat: Seat) -> int:
        return self.hand(seat).held.bit_count()


class GameSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="id.hex")
    time_control = serializers.SerializerMethodField()
    seats = serializers.SerializerMethodField()
    round = serializers.SerializerMethodField()
    turn = serializers.SerializerMethodField()
    you = serializers.SerializerMethodField()
    scoreboard = serializers.SerializerMethodField()
    totals = serializers.SerializerMethodField()

    class Meta:
        model = Game
        fields = ["id", "version", "status", "visibility", "ruleset", "time_control", "created_at", "started_at"]
        fields += ["ended_at", "seats", "round", "turn", "you", "scoreboard", "totals"]

    def to_representation(self, game: Game) -> dict[str, Any]:
        current = game.rounds.get(number=game.round_number)
        self.hands = {hand.seat.number: hand for hand in current.hands.select_related("seat")}
        return super().to_representation(game)

    def get_time_control(self, game: Game) -> dict[str, Any]:
        return {"kind": game.clock_kind, "per_turn": game.per_turn_s}

    def get_seats(self, game: Game) -> list[dict[str, Any]]:
        seats = game.seats.select_related("player").order_by("number")
        return SeatSerializer(seats, many=True, context={"hands": self.hands}).data

    def get_round(self, game: Game) -> dict[str, Any]:
        return {
            "number": game.round_number,
            "of": game.ruleset["rounds"],
            "dealer": game.dealer,
            "trick_number": game.trick_number,
            "leader": game.trick_leader,
            "trick": plays(game.trick_leader, game.trick_cards),
            "last_trick": last_trick(game),
        }

    def get_turn(self, game: Game) -> dict[str, Any] | None:
        if game.status != "active":
            return None
        ends_at = serializers.DateTimeField().to_representation(game.turn_ends_at) if game.turn_ends_at else None
        return {"seat": game.turn_seat, "action": game.turn_action, "deadline": ends_at}

    def get_you(self, game: Game) -> dict[str, Any]:
        seat = self.context["seat"]
        held = self.hands[seat].held
        is_due = game.turn_seat == seat and game.turn_action == "play"
        trick = Trick(game.trick_leader, tuple(card(text) for text in game.trick_cards))
        legal = legal_plays(held, trick, from_json(game.ruleset)) if is_due else None
        return {"seat": seat, "hand": names(held), "legal_plays": None if legal is None else names(legal)}

    def get_scoreboard(self, game: Game) -> list[dict[str, Any]]:
        return [
            {
                "round": number,
                "bids": score["bids"],
                "tricks": score["tricks"],
                "scores": [points(tenths) for tenths in score["scores_tenths"]],
            }
            for number, score in enumerate(game.scoreboard, start=1)
        ]

    def get_totals(self, game: Game) -> list[str]:
        return [points(hand.seat.total_tenths) for _, hand in sorted(self.hands.items())]


def plays(leader: int, cards: list[str]) -> list[dict[str, Any]]:
    return [{"seat": (leader + place) % 4, "card": card} for place, card in enumerate(cards)]


def last_trick(game: Game) -> dict[str, Any] | None:
    last = game.last_trick
    if last is None:
        return None
    trick = Trick(last["leader"], tuple(card(text) for text in last["cards"]))
    return {
        "round": last["round"],
        "number": last["number"],
        "leader": last["leader"],
        "plays": plays(last["leader"], last["cards"]),
        "winner": trick.winner,
    }
