"""Names are the same for Python and for the database, and nobody can look like somebody else."""

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from players.models import SKELETON, Player
from players.names import USERNAME, fault, skeleton


@pytest.mark.django_db
def test_the_database_reads_look_alikes_as_python_does() -> None:
    names = ["Iimes11", "Turner_0", "vVoW", "rnrn-VV", "A0o1Il", "vvv", "rrn"]
    Player.objects.bulk_create(Player(username=name) for name in names)
    looks = dict(Player.objects.annotate(look=SKELETON).values_list("username", "look"))
    assert looks == {name: skeleton(name) for name in names}


@pytest.mark.django_db
@pytest.mark.parametrize("other", ["asha1", "ASHA1", "Ashal", "ashai", "AshaI"])
def test_two_names_that_look_alike_are_one(other: str) -> None:
    Player.objects.create(username="Asha1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(username=other)


@pytest.mark.parametrize(
    "name",
    [
        "ab", "a" * 21, "a b", " asha", "asha ", "asha.", "asha\n", "asha\0", "аdmin", "ａｓｈａ", "as\u200dha",
        "\u202easha", "आशा", "admin", "ADMIN", "adm1n", "r00t", "guest-asha", "closed-asha", "c1osed-asha",
        "chess-bot", "chessb0t", "",
        "<b>x</b>", "'; --", "{{7*7}}", "a\r\nb",
    ],
)  # fmt: skip
def test_a_name_that_could_mislead_is_refused(name: str) -> None:
    assert fault(name)


@given(st.text(max_size=25))
def test_an_accepted_name_is_plain_ascii(name: str) -> None:
    if fault(name) is None:
        assert USERNAME.fullmatch(name)
        assert name.isascii()
