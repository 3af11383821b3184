"""Taking the turns that wait for a bot: claim, think outside any transaction, play through the one door."""

import logging
import time
from random import Random

from django.conf import settings

from bots.engine import fallback
from bots.services.claims import claim_turn, give_up_claim, reserve_turns
from bots.services.thinking import TimeUp, think
from callbreak_site.errors import Code, ServiceError
from callbreak_site.failpoints import failpoint
from callbreak_site.outbox.publishing import publish
from callbreak_site.outbox.services import emit, holder
from games.rules.state import Phase
from games.rules.view import View
from games.selectors.turns import BotTurn, bot_turn, due_bot_turns
from games.services.actors import HouseBot
from games.services.table import place_bid, play_card

log = logging.getLogger(__name__)

TAKE_TURNS = "bots.tasks.take_turns"
QUEUE = "turns"
MAX_FAILURES = 3
"""After so many failures at one turn the fallback plays."""
TOO_OFTEN = 10
"""A turn begun so often is not the bot's fault."""
SECONDS_PER_RUN = 20.0
"""After so long a run of bot turns goes on in another task, well below the time limit of this one."""
TURN_IS_GONE = {
    Code.VERSION_CONFLICT, Code.WRONG_PHASE, Code.NOT_YOUR_TURN, Code.GAME_NOT_ACTIVE, Code.NOT_FOUND,
}  # fmt: skip


def take_turns(game_id: str) -> None:
    """Take every turn that waits for a bot in a game, one after the other, until it is a person's or another task's."""
    claimant = holder()
    run_ends_at = time.monotonic() + SECONDS_PER_RUN
    thought: tuple[View, int] | None = None
    while (turn := bot_turn(game_id)) is not None:
        if time.monotonic() > run_ends_at:
            emit("turn.started", game_id)
            return
        attempt = claim_turn(game_id=game_id, version=turn.version, holder=claimant)
        if attempt is None:
            return
        try:
            if thought is None or thought[0] != turn.view:
                thought = turn.view, _choice(turn, attempt)
            _act(turn, thought[1])
        except Exception:
            # What failed is not the bot: the database, or a refusal that nobody foresaw.
            give_up_claim(game_id=game_id, holder=claimant)
            raise


def resume_due() -> None:
    """Ask for the bot turns that have waited too long, unless somebody is at them: their task was lost."""
    for game_id, task_id in reserve_turns(due_bot_turns()).items():
        if not publish(TAKE_TURNS, game_id, queue=QUEUE, task_id=task_id):
            give_up_claim(game_id=game_id, holder=task_id)


def _choice(turn: BotTurn, attempt: int) -> int:
    """Return what the bot chooses, or the fallback after three failures or the time for a turn."""
    if attempt > TOO_OFTEN:
        raise RuntimeError("A bot's turn does not pass.")
    ends_at = time.monotonic() + settings.BOT_SECONDS_TO_THINK
    for number in range(attempt, MAX_FAILURES + 1):
        try:
            return think(
                turn.level,
                turn.view,
                Random(f"{turn.game_id}:{turn.version}:{number}"),
                seconds=ends_at - time.monotonic(),
                megabytes=settings.BOT_MEGABYTES_TO_THINK,
            )
        except TimeUp:
            log.error("bot out of time: game=%s version=%s level=%s", turn.game_id, turn.version, turn.level)
            break
        except Exception as error:
            # The name of the error only: its text may speak of cards.
            name = type(error).__name__
            log.error("bot failed: game=%s version=%s level=%s error=%s", turn.game_id, turn.version, turn.level, name)
    return fallback(turn.view)


def _act(turn: BotTurn, choice: int) -> None:
    by = HouseBot(turn.seat)
    failpoint("bot.before_submit")
    try:
        if turn.view.phase is Phase.BID:
            place_bid(game_id=turn.game_id, by=by, bid=choice, expected_version=turn.version)
        else:
            play_card(game_id=turn.game_id, by=by, card=choice, expected_version=turn.version)
    except ServiceError as refusal:
        # The turn ended while the bot was thinking.
        if refusal.code not in TURN_IS_GONE:
            raise
