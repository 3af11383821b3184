"""A card put down with the ORM: objects fetched, changed and saved one by one."""

from datetime import timedelta

from django.utils import timezone
from rest_framework.exceptions import ValidationError

from callbreak_site.outbox.services import emit
from games.models import DealSecrets, Event, EventType, Game, GameStatus, Hand, Play, Round, Seat, Trick
from games.rules import shuffle
from games.rules.cards import card as card_of
from games.rules.cards import names
from games.rules.ruleset import Ruleset, from_json
from games.rules.scoring import places, points, score_tenths
from games.rules.trick import Trick as TrickValue
from games.rules.trick import legal_plays

GRACE = timedelta(seconds=2)


def play(game: Game, seat: Seat, card: str, expected_version: int | None = None) -> None:
    """Play *card* for *seat* in a locked game; raises ValidationError when that may not be."""
    now = timezone.now()
    if game.status != GameStatus.ACTIVE:
        raise ValidationError({"game": "The game is not active."})
    if expected_version is not None and expected_version != game.version:
        raise ValidationError({"expected_version": "The game has moved on."})
    if game.turn_action != "play" or game.turn_seat != seat.number or game.is_bots_turn:
        raise ValidationError({"card": "It is not your turn to play."})
    if game.turn_ends_at and now > game.turn_ends_at + GRACE:
        raise ValidationError({"card": "Your time is over."})
    ruleset = from_json(game.ruleset)
    current = game.rounds.get(number=game.round_number)
    hand = current.hands.get(seat=seat)
    on_table = TrickValue(game.trick_leader, tuple(card_of(text) for text in game.trick_cards))
    number = card_of(card)
    if not legal_plays(hand.held, on_table, ruleset) >> number & 1:
        raise ValidationError({"card": "The card is not held or may not be played."})

    if not on_table.cards:
        trick = Trick.objects.create(round=current, number=game.trick_number, leader=seat.number)
    else:
        trick = current.tricks.get(number=game.trick_number)
    Play.objects.create(
        round=current, trick_number=trick.number, order=len(on_table.cards), seat=seat.number, card=number
    )
    hand.held &= ~(1 << number)
    hand.save()
    game.trick_cards.append(card)
    game.last_acts[seat.number] = f"play {card}"
    where = {"round": current.number, "trick": trick.number}
    note(game, EventType.CARD_PLAYED, seat.number, {**where, "card": card, "by": "person"})
    after = on_table.add(number)
    if after.is_complete:
        end_trick(game, current, trick, after, ruleset)
    else:
        game.turn_seat = after.seat_to_play
    if game.status == GameStatus.ACTIVE:
        game.is_bots_turn = game.seats.get(number=game.turn_seat).player_id is None
        game.turn_ends_at = now + timedelta(seconds=game.per_turn_s) if game.per_turn_s else None
        if game.is_bots_turn:
            emit("turn.started", game.id.hex)
    game.changed_at = now
    game.save()


def end_trick(game: Game, current: Round, trick: Trick, after: TrickValue, ruleset: Ruleset) -> None:
    """Give the trick to its winner, who leads to the next one, if there is one in this round."""
    trick.winner = after.winner
    trick.save()
    winners = current.hands.get(seat__number=after.winner)
    winners.tricks += 1
    winners.save()
    game.last_trick = {
        "round": current.number,
        "number": trick.number,
        "leader": after.leader,
        "cards": game.trick_cards,
    }
    game.trick_cards = []
    note(game, EventType.TRICK_WON, after.winner, {"round": current.number, "trick": trick.number})
    game.trick_leader = game.turn_seat = after.winner
    if trick.number < 13:
        game.trick_number += 1
    else:
        end_round(game, current, ruleset)


def end_round(game: Game, current: Round, ruleset: Ruleset) -> None:
    """Score the round; deal the next one, or end the game."""
    current.finished_at = timezone.now()
    current.save()
    bids, tricks, scores = [], [], []
    for hand in current.hands.select_related("seat").order_by("seat__number"):
        hand.score_tenths = score_tenths(hand.bid, hand.tricks, ruleset)
        hand.save()
        hand.seat.total_tenths += hand.score_tenths
        hand.seat.save()
        bids.append(hand.bid)
        tricks.append(hand.tricks)
        scores.append(hand.score_tenths)
    game.scoreboard.append({"bids": bids, "tricks": tricks, "scores_tenths": scores})
    seats = list(game.seats.order_by("number"))
    totals = [seat.total_tenths for seat in seats]
    told = {"round": current.number, "bids": bids, "tricks": tricks}
    told |= {"scores": [points(tenths) for tenths in scores], "totals": [points(tenths) for tenths in totals]}
    note(game, EventType.ROUND_SCORED, None, told)
    if current.number < (ruleset.rounds or 250) and not game.is_finish_agreed:
        deal(game, seats)
        return
    found = places(totals)
    for seat, place in zip(seats, found, strict=True):
        seat.place = place
        seat.save()
    game.status, game.ended_at = GameStatus.FINISHED, timezone.now()
    game.turn_seat = game.turn_action = game.turn_ends_at = None
    winners = [seat.number for seat in seats if seat.place == 1]
    told = {"places": list(found), "winners": winners, "totals": [points(tenths) for tenths in totals]}
    note(game, EventType.GAME_FINISHED, None, told)


def deal(game: Game, seats: list[Seat]) -> None:
    """Deal the next round."""
    game.round_number += 1
    game.dealer = (game.dealer + 1) % 4
    game.trick_number, game.trick_leader = 1, (game.dealer + 1) % 4
    game.turn_seat, game.turn_action = game.trick_leader, "bid"
    secret = shuffle.split(bytes(DealSecrets.objects.get(game=game).secrets))[game.round_number]
    key = shuffle.deal_key(secret, game.id.bytes, game.round_number, [seat.seed for seat in seats])
    dealt = shuffle.deal(shuffle.deck(key), game.dealer)
    current = Round.objects.create(game=game, number=game.round_number, dealer=game.dealer)
    for seat, cards in zip(seats, dealt, strict=True):
        Hand.objects.create(round=current, seat=seat, dealt=cards, held=cards)
    public = {"round": game.round_number, "dealer": game.dealer, "redeals": 0}
    private = {str(seat): {"hand": names(cards)} for seat, cards in enumerate(dealt)}
    note(game, EventType.ROUND_DEALT, None, public, private)


def note(game: Game, kind: EventType, seat: int | None, public: dict, private: dict | None = None) -> None:
    """Write one event down."""
    game.version += 1
    Event.objects.create(
        game=game, version=game.version, type=kind, seat=seat, at=timezone.now(), public=public, private=private or {}
    )
