"""The rules pages draw the examples that the rules are tested by."""

import pytest
from django.test import Client

from games.rules import examples
from games.rules.cards import cards
from games.rules.ruleset import RULESETS
from games.rules.trick import trick
from games.web.rules_pages import why
from tests.games.web.test_first_page import text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", RULESETS)
def test_each_ruleset_is_explained_with_every_example_that_shows_something_of_its_own(name: str) -> None:
    page = text(Client().get(f"/rules/{name}/"))
    shown = {}
    for each in examples.PLAYS:
        shown.setdefault(why(cards(each.hand), trick(each.so_far), RULESETS[name]), each)
    assert page.count('<figure class="case">') == len(shown)
    may = [each.with_must_head if RULESETS[name].must_head else each.without for each in shown.values()]
    held = sum(len(each.hand.split()) for each in shown.values())
    assert page.count('class="may"') == sum(len(cards.split()) for cards in may)
    assert page.count('class="may"') + page.count('class="may-not"') == held
    if RULESETS[name].must_head:
        assert len(shown) == len(examples.PLAYS)
    rows = [each for each in examples.SCORES if each.ruleset == name and not each.options]
    assert page.count("<b>-") == sum(each.points.startswith("-") for each in rows)


def test_all_rules_begin_with_how_to_play_in_a_minute_and_no_others_are_there() -> None:
    page = text(Client().get("/rules/"))
    assert page.index("How to play in one minute") < page.index("House rules")
    assert all(f'href="/rules/{name}/"' in page for name in RULESETS)
    assert Client().get("/rules/bridge/").status_code == 404
