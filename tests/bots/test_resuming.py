"""Sweeps ask once for a bot turn whose task was lost."""

import pytest

from bots.services import resume_due, take_turns, turns
from bots.services.claims import claim_turn
from tests.bots.tables import been_waiting, end_leases, waiting_for_a_bot
from tests.games.tables import four_at_a_table, reread

pytestmark = pytest.mark.django_db


class Messages(list[tuple[str, str | None]]):
    """What was published, in place of a broker."""

    is_taken = True

    def publish(self, task: str, argument: str, *, queue: str, task_id: str | None = None) -> bool:
        if self.is_taken:
            self.append((argument, task_id))
        return self.is_taken


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    made = Messages()
    monkeypatch.setattr(turns, "publish", made.publish)
    return made


def test_a_sweep_asks_for_a_turn_that_waits_and_for_no_other(messages: Messages) -> None:
    waiting, fresh = waiting_for_a_bot(), waiting_for_a_bot()
    persons, _ = four_at_a_table()
    been_waiting(waiting)
    been_waiting(persons)
    resume_due()
    assert [game for game, _ in messages] == [waiting.id]
    assert fresh.id != waiting.id


def test_a_sweep_asks_once_while_the_answer_is_awaited(messages: Messages) -> None:
    been_waiting(waiting_for_a_bot())
    for _ in range(3):
        resume_due()
    assert len(messages) == 1
    end_leases()
    resume_due()
    assert len(messages) == 2


def test_only_the_task_that_a_sweep_asked_for_takes_that_turn(
    messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = waiting_for_a_bot()
    claim_turn(game_id=table.id, version=table.version, holder="dead")
    end_leases()
    been_waiting(table)
    resume_due()
    ((_, task_id),) = messages
    take_turns(table.id)
    assert reread(table).version == table.version
    monkeypatch.setattr(turns, "holder", lambda: task_id)
    take_turns(table.id)
    assert not reread(table).is_bots_turn


def test_a_sweep_that_reaches_no_broker_keeps_nothing_back(messages: Messages) -> None:
    table = waiting_for_a_bot()
    been_waiting(table)
    messages.is_taken = False
    resume_due()
    take_turns(table.id)
    assert not reread(table).is_bots_turn
