"""A game's bot turn has one holder at a time."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db.models.functions import Now

from bots.models import Claim
from bots.services.claims import claim_turn, give_up_claim, purge_claims, reserve_turns
from tests.games.threads import race

pytestmark = pytest.mark.django_db

GAME = "5" * 32


def claimed(version: int = 10, holder: str = "task-1") -> int | None:
    return claim_turn(game_id=GAME, version=version, holder=holder)


def end_lease() -> None:
    Claim.objects.update(leased_until=Now() - timedelta(seconds=1))


def test_the_first_to_ask_has_the_turn() -> None:
    assert claimed(holder="task-1") == 1
    assert claimed(holder="task-2") is None


def test_the_same_task_takes_its_claim_up_again() -> None:
    assert [claimed(), claimed(), claimed()] == [1, 2, 3]


def test_the_claim_of_a_dead_task_ends() -> None:
    claimed(holder="task-1")
    end_lease()
    assert claimed(holder="task-2") == 2


def test_a_later_turn_is_anybodys_and_its_attempts_are_counted_anew() -> None:
    claimed(version=10, holder="task-1")
    assert claimed(version=11, holder="task-2") == 1


def test_an_earlier_turn_is_nobodys() -> None:
    claimed(version=11)
    end_lease()
    assert claimed(version=10) is None


def test_a_claim_given_up_is_free_and_does_not_count() -> None:
    claimed(holder="task-1")
    give_up_claim(game_id=GAME, holder="task-1")
    assert claimed(holder="task-2") == 1


def test_only_its_holder_gives_a_claim_up() -> None:
    claimed(holder="task-1")
    give_up_claim(game_id=GAME, holder="task-2")
    assert claimed(holder="task-2") is None


@pytest.mark.django_db(transaction=True)
def test_of_eight_tasks_at_once_one_has_the_turn() -> None:
    for version in range(1, 21):
        answers = race(*[lambda n=n, v=version: claimed(v, f"task-{n}") for n in range(8)])
        assert sorted(answers, key=str) == [1, *[None] * 7]


def test_a_turn_reserved_for_a_task_waits_for_it() -> None:
    claimed(holder="dead")
    end_lease()
    reserved = reserve_turns([GAME])
    assert claimed(holder="task-2") is None
    assert claimed(holder=reserved[GAME]) == 2


def test_what_somebody_is_at_is_not_reserved() -> None:
    claimed()
    other = uuid4().hex
    assert list(reserve_turns([GAME, other])) == [other]
    assert reserve_turns([GAME, other]) == {}


def test_old_claims_are_forgotten() -> None:
    claimed()
    purge_claims()
    assert Claim.objects.filter(game_id=UUID(GAME)).exists()
    Claim.objects.update(leased_until=Now() - timedelta(hours=25))
    purge_claims()
    assert not Claim.objects.exists()
