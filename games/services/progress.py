"""What follows an act: the card on the table, the trick, the round, the next deal, the next turn."""

from callbreak_site.outbox.services import emit
from games.models import EventType, Hand, Play, Round, Seat, Trick
from games.rules import state as rules
from games.rules.cards import Card, highest
from games.rules.state import Phase, State
from games.selectors.rows import Rows
from games.services.actors import Actor, HouseBot
from games.services.dealing import deal
from games.services.ending import finish
from games.services.journal import Journal
from games.services.moves import Move, play_of
from games.services.position import is_bots_turn, save_position, score_as_json, take_position


def make_move(rows: Rows, move: Move, journal: Journal) -> State:
    """Store a bid, or a card on the table with all that it ends, and return the state after it."""
    journal.add(*move.notes)
    if move.bid is not None:
        hand = rows.hands[move.seat]
        hand.bid = move.bid
        hand.save(update_fields=["bid"])
    else:
        _put_down(rows, move)
    return move.after


def _put_down(rows: Rows, move: Move) -> None:
    state, after, seat = move.before, move.after, move.seat
    assert move.card is not None
    round_id = rows.hands[seat].round_id
    order = len(state.trick.cards)
    if order == 0:
        Trick.objects.create(round_id=round_id, number=state.trick_number, leader=seat)
    Play.objects.create(round_id=round_id, trick_number=state.trick_number, order=order, seat=seat, card=move.card)
    rows.hands[seat].held &= ~(1 << move.card)
    changed = [rows.hands[seat]]
    if order == 3:
        assert after.last_trick is not None
        winner = after.last_trick.trick.winner
        Trick.objects.filter(round_id=round_id, number=state.trick_number).update(winner=winner)
        rows.hands[winner].tricks += 1
        if winner != seat:
            changed.append(rows.hands[winner])
    if len(after.rounds) > len(state.rounds):
        _score_round(rows, after)
    elif order < 3:
        changed[0].save(update_fields=["held"])
    else:
        Hand.objects.bulk_update(changed, ["held", "tricks"])


def _score_round(rows: Rows, state: State) -> None:
    score = state.rounds[-1]
    totals = state.totals_tenths
    for hand, scored, total in zip(rows.hands, score.scores_tenths, totals, strict=True):
        hand.score_tenths = scored
        hand.seat.total_tenths = total
    Hand.objects.bulk_update(rows.hands, ["held", "tricks", "score_tenths"])
    Seat.objects.bulk_update(rows.seats, ["total_tenths"])
    Round.objects.filter(id=rows.hands[0].round_id).update(finished_at=rows.now)
    rows.game.scoreboard.append(score_as_json(score))
    rows.game.save(update_fields=["scoreboard"])


def go_on(rows: Rows, state: State, journal: Journal, by: Actor) -> None:
    """Deal, redeal and play forced cards until somebody has to choose or the game is over; then store the position."""
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEAL:
            state = deal(rows, state, journal)
        elif reason := rules.redeal_reason(state):
            state = _redeal(rows, state, journal, reason)
        elif (forced := forced_card(state, is_for_bot=is_bots_turn(rows, state))) is not None:
            # It is no act of the seat's: what a client may send again is what it sent.
            state = make_move(rows, play_of(state, forced, "rule"), journal)
        else:
            break
    take_position(rows, state)
    if state.phase is Phase.OVER:
        finish(rows, state, journal)
        return
    if rows.game.is_bots_turn and not isinstance(by, HouseBot):
        # A bot's own act needs no call: its worker goes on with a run of bot turns by itself.
        emit("turn.started", rows.game.id.hex)
    save_position(rows, journal)


def _redeal(rows: Rows, state: State, journal: Journal, reason: tuple[str, int | None]) -> State:
    why = {"reason": reason[0], "seat": reason[1]}
    current = Round.objects.get(id=rows.hands[0].round_id)
    current.redeals.append(why)
    current.save(update_fields=["redeals"])
    journal.note(EventType.ROUND_REDEALT, seat=reason[1], public={"round": state.round_number, **why})
    return rules.call_redeal(state)


def forced_card(state: State, *, is_for_bot: bool) -> Card | None:
    """Return the only legal card of a person on turn, where the table plays such a card by itself."""
    if state.ruleset.forced_cards != "at_once" or state.phase is not Phase.PLAY or is_for_bot:
        return None
    legal = rules.legal_cards(state)
    return highest(legal) if legal.bit_count() == 1 else None
