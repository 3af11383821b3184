"""The rules pages draw the examples that the rules are tested by."""

import pytest
from django.test import Client

from games.rules import examples
from games.rules.ruleset import RULESETS
from tests.games.web.test_first_page import text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", RULESETS)
def test_each_ruleset_is_explained_with_every_example(name: str) -> None:
    page = text(Client().get(f"/rules/{name}/"))
    assert page.count('<figure class="case">') == len(examples.PLAYS)
    may = [each.with_must_head if RULESETS[name].must_head else each.without for each in examples.PLAYS]
    assert page.count('class="may"') == sum(len(cards.split()) for cards in may)
    assert page.count('class="may-not"') == sum(len(each.hand.split()) for each in examples.PLAYS) - page.count(
        'class="may"'
    )
    rows = [each for each in examples.SCORES if each.ruleset == name and not each.options]
    assert page.count("<b>-") == sum(each.points.startswith("-") for each in rows)


def test_all_rules_begin_with_how_to_play_in_a_minute_and_no_others_are_there() -> None:
    page = text(Client().get("/rules/"))
    assert page.index("How to play in one minute") < page.index("House rules")
    assert all(f'href="/rules/{name}/"' in page for name in RULESETS)
    assert Client().get("/rules/bridge/").status_code == 404
