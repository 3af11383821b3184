"""How a game ends: after its last round, by agreement, or with nothing to score."""

from callbreak_site.outbox.services import emit
from games.models import EventType, GameStatus, Round, Seat
from games.rules import state as rules
from games.rules.scoring import places, points
from games.rules.state import Phase, State
from games.selectors.rows import Rows, state_of
from games.services.journal import Journal
from games.services.moves import Note
from games.services.position import end_running, save_position, take_position


def finish(rows: Rows, state: State, journal: Journal) -> None:
    """Declare all four places and store the game's end."""
    for seat, place in zip(rows.seats, places(state.totals_tenths), strict=True):
        seat.place = place
    Seat.objects.bulk_update(rows.seats, ["place"])
    end_running(rows, GameStatus.FINISHED)
    journal.add(finished(state))
    emit("game.finished", rows.game.id.hex)
    save_position(rows, journal)


def finished(state: State) -> Note:
    """Return the event that tells of a game's end."""
    totals = state.totals_tenths
    final_places = places(totals)
    told = {
        "places": list(final_places),
        "winners": [number for number, place in enumerate(final_places) if place == 1],
        "totals": [points(total) for total in totals],
    }
    return Note(EventType.GAME_FINISHED, None, told)


def all_agree(rows: Rows) -> bool:
    """Tell whether an open-ended game has nobody left who would play on; a bot's seat agrees by itself."""
    return rows.ruleset.rounds is None and all(seat.wants_to_finish for seat in rows.seats if seat.player_id)


def end_if_all_agree(rows: Rows, journal: Journal) -> bool:
    """End an open-ended game once every person still seated agrees; tell whether it is over.

    With a card down the round is played to its end first. Without one the round is dropped, with its cards and its
    secret; when no round was finished before, that leaves nothing to score.
    """
    game = rows.game
    if game.is_finish_agreed or not all_agree(rows):
        return False
    state = rules.agree_to_finish(state_of(rows))
    game.is_finish_agreed = True
    if state.phase is not Phase.OVER:
        return False
    Round.objects.filter(game=game, finished_at__isnull=True).delete()
    take_position(rows, state)
    if state.rounds:
        finish(rows, state, journal)
    else:
        end_running(rows, GameStatus.CANCELLED)
        journal.note(EventType.GAME_CANCELLED, public={"reason": "agreed_before_any_round"})
        save_position(rows, journal)
    return True
