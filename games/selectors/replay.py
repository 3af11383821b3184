"""The record played again: what its events, its secrets and the rules say must be what its rows hold."""

import uuid
from collections.abc import Iterator
from typing import Any

from games.models import EventType, Game, GameStatus, Hand, Round, Seat
from games.models.packing import PackedEvent
from games.rules import shuffle
from games.rules import state as rules
from games.rules.cards import card, name, names
from games.rules.scoring import places
from games.rules.state import Phase, State
from games.rules.trick import Trick as TrickValue
from games.selectors.contents import contents_of
from games.selectors.proofs import secrets_of
from games.selectors.rows import games_now, rows_of, state_of


class Replay:
    """One started game, played again from its events."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seats = list(Seat.objects.filter(game=game).order_by("number"))
        self.record = contents_of(game.id)
        self.events = self.record.events
        self._secrets = secrets_of(game.id)
        self._rows = rows_of(games_now().get(id=game.id))
        self._dealer = 0
        self._redeals: list[int] = []
        self._played: list[tuple[int, int, int, int, int]] = []  # round, trick, order, seat, card
        self._tricks: list[tuple[int, int, int, int | None]] = []  # round, number, leader, winner

    def differences(self) -> Iterator[str]:
        """Yield a sentence for each thing in which the rows and the replay differ."""
        yield from self._numbering()
        if self.game.started_at is None:
            return
        yield from self._opening()
        state = rules.new_game(self._rows.ruleset, self._dealer)
        try:
            for event in self.events:
                state = self._apply(state, event)
        except (rules.IllegalAct, Difference) as wrong:
            yield str(wrong)
            return
        yield from self._compare(state)

    def _numbering(self) -> Iterator[str]:
        versions = [event.version for event in self.events]
        if versions != list(range(1, self.game.version + 1)):
            yield f"the events are not numbered 1 to {self.game.version}"

    def _opening(self) -> Iterator[str]:
        """Draw for the seats or for the first dealer again."""
        joiners = sorted(self.seats, key=lambda seat: seat.joined_order)
        key = shuffle.deal_key(self._secrets[0], self.game.id.bytes, 0, [seat.seed for seat in joiners])
        if self._rows.ruleset.seating != "draw":
            self._dealer = shuffle.first_dealer(key)
            return
        drawn = shuffle.deck(key)
        yield from _differ("seats drawn", [seat.number for seat in joiners], list(shuffle.draw_order(drawn)))
        cards = [name(card) for card in drawn[: len(joiners)]]
        yield from _differ("cards drawn", [seat.drawn_card for seat in joiners], cards)

    def _apply(self, state: State, event: PackedEvent) -> State:
        told = event.public
        if event.type == EventType.ROUND_DEALT:
            return self._deal(state, event)
        if event.type == EventType.ROUND_REDEALT:
            _expect(rules.redeal_reason(state), (told["reason"], told["seat"]), event)
            self._redeals.append(state.round_number)
            return rules.call_redeal(state)
        if event.type == EventType.BID_MADE:
            return rules.bid(state, _seat(event), told["bid"])
        if event.type == EventType.CARD_PLAYED:
            return self._play(state, event)
        if event.type == EventType.TRICK_WON and state.last_trick:
            _expect(state.last_trick.trick.winner, event.seat, event)
        if event.type == EventType.ROUND_SCORED:
            _expect(list(state.rounds[-1].tricks), told["tricks"], event)
        if told.get("finish_agreed") and not state.is_finish_agreed:
            return rules.agree_to_finish(state)
        return state

    def _deal(self, state: State, event: PackedEvent) -> State:
        seeds = [seat.seed for seat in self.seats]
        secret = self._secrets[state.round_number]
        key = shuffle.deal_key(secret, self.game.id.bytes, state.round_number, seeds, state.redeals)
        hands = shuffle.deal(shuffle.deck(key), state.dealer)
        if event.private != {str(seat): {"hand": names(hand)} for seat, hand in enumerate(hands)}:
            raise Difference(f"event {event.version} ({event.type}) tells other hands than its secret makes")
        return rules.deal_round(state, hands)

    def _play(self, state: State, event: PackedEvent) -> State:
        seat, played = _seat(event), card(event.public["card"])
        order = len(state.trick.cards)
        self._played.append((state.round_number, state.trick_number, order, seat, played))
        if order == 0:
            self._tricks.append((state.round_number, state.trick_number, seat, None))
        after = rules.play(state, seat, played)
        if order == 3 and after.last_trick:
            self._tricks[-1] = (*self._tricks[-1][:3], after.last_trick.trick.winner)
        return after

    def _compare(self, state: State) -> Iterator[str]:
        yield from _differ("plays", self.record.plays, self._played)
        yield from _differ("tricks", self.record.tricks, self._tricks)
        yield from _differ("totals", [seat.total_tenths for seat in self.seats], list(state.totals_tenths))
        scoreboard = [
            {"bids": list(score.bids), "tricks": list(score.tricks), "scores_tenths": list(score.scores_tenths)}
            for score in state.rounds
        ]
        yield from _differ("scoreboard", self.game.scoreboard, scoreboard)
        yield from self._compare_rounds(state)
        if self.game.status == GameStatus.FINISHED:
            yield from _differ("places", [seat.place for seat in self.seats], list(places(state.totals_tenths)))
        if self.game.status == GameStatus.ACTIVE:
            stored = state_of(self._rows)
            yield from _differ("position", _position(stored), _position(state))
            if stored.hands != state.hands:
                yield "hands: the stored ones are not the replayed ones"  # which they are nobody may read here

    def _compare_rounds(self, state: State) -> Iterator[str]:
        for row in Round.objects.filter(game=self.game, finished_at__isnull=False):
            hands = list(Hand.objects.filter(round=row).order_by("seat__number"))
            scored = state.rounds[row.number - 1]
            yield from _differ(f"dealer of round {row.number}", row.dealer, (self._dealer + row.number - 1) % 4)
            yield from _differ(f"redeals of round {row.number}", len(row.redeals), self._redeals.count(row.number))
            yield from _differ(f"bids of round {row.number}", [hand.bid for hand in hands], list(scored.bids))
            yield from _differ(f"tricks of round {row.number}", [hand.tricks for hand in hands], list(scored.tricks))
            yield from _differ(
                f"scores of round {row.number}", [hand.score_tenths for hand in hands], list(scored.scores_tenths)
            )
            yield from _differ(f"cards held after round {row.number}", [hand.held for hand in hands], [0] * 4)
        finished = Round.objects.filter(game=self.game, finished_at__isnull=False).count()
        yield from _differ("finished rounds", finished, len(state.rounds))


class Difference(ValueError):
    """An event tells something else than the rules make of what came before."""


def differences(game_id: uuid.UUID) -> list[str]:
    """Return in what the rows of a game differ from its record played again; [] when nothing does."""
    return list(Replay(Game.objects.get(id=game_id)).differences())


def _expect(made: object, told: object, event: PackedEvent) -> None:
    if made != told:
        raise Difference(f"event {event.version} ({event.type}) tells {told}, the rules make {made}")


def _differ(what: str, stored: object, replayed: object) -> Iterator[str]:
    if stored != replayed:
        yield f"{what}: stored {stored}, replayed {replayed}"


def _position(state: State) -> dict[str, Any]:
    """Return *state* without the round's finished tricks, which its rows are read without."""
    bare = state._replace(tricks=())
    return {
        "turn": (bare.phase, bare.turn, bare.round_number, bare.trick_number, bare.dealer, bare.redeals),
        "trick": _trick(bare.trick),
        "last": bare.last_trick
        and (bare.last_trick.round_number, bare.last_trick.number, _trick(bare.last_trick.trick)),
        "rounds": bare.rounds,
        "is_finish_agreed": bare.is_finish_agreed,
        "is_over": bare.phase is Phase.OVER,
    }


def _trick(trick: TrickValue) -> tuple[int, list[str]]:
    return trick.leader, [name(card) for card in trick.cards]


def _seat(event: PackedEvent) -> int:
    if event.seat is None:
        raise Difference(f"event {event.version} ({event.type}) names no seat")
    return event.seat
