"""What the rules hide, the admin hides from everybody: hands of the running round, and seeds."""

import random
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games.models import DealSecrets, Event, Game, Hand
from games.presenters.story import pretty
from games.presenters.table import Table
from games.rules.cards import FULL_PACK, members, name, names
from games.rules.ruleset import RULESETS
from games.rules.shuffle import split
from players.models import Player
from tests.admin.desks import administrator, browser, moderator, page, person
from tests.games.tables import four_at_a_table, play_on, reread

pytestmark = pytest.mark.django_db

RANKS = dict(
    zip("23456789TJQKA", "two three four five six seven eight nine ten jack queen king ace".split(), strict=True)
)
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
LINK = re.compile(r'href="([^"#]+)"')
FRESH = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|csrftoken=\w+|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT')
SPAN = re.compile(r"\d+\xa0(minute|hour|day|week)s?(, \d+\xa0\w+)?|\b0\xa0minutes|\b\d+ s\b|[\d.]+ seconds")
RUNNING_ROUND, FINISHED_ROUND = 2, 1


@pytest.fixture(params=["moderator", "administrator"])
def judge(request: pytest.FixtureRequest) -> Player:
    """Somebody at the desk, who sits in the game as well."""
    return moderator() if request.param == "moderator" else administrator()


@pytest.fixture
def live(judge: Player) -> Table:
    """Return a game in its second round, in the middle of a trick, in which the judge sits."""
    players = [judge, person("asha"), person("bo"), person("cy")]
    table, _ = four_at_a_table(RULESETS["lite"], players, visibility="private")
    return play_on(table, random.Random(5), acts=(4 + 52) + 4 + 22)


def test_no_page_shows_a_hidden_card_or_a_seed(judge: Player, live: Table) -> None:
    anything, all_but_cards = leaks(live), leaks(live, of_cards=False)
    pages = dict(every_page(browser(judge), live))
    assert len(pages) > 100 and len([url for url in pages if f"round={FINISHED_ROUND}" in url]) > 0
    for url, text in pages.items():
        # In the round before the same cards were dealt; that they say nothing of this one is shown by the swap below.
        found = (all_but_cards if f"round={FINISHED_ROUND}" in url else anything).search(text)
        assert not found, f"{url} shows {found[0]}: {text[found.start() - 80 : found.end() + 20]}"


def test_the_search_for_leaks_finds_one(judge: Player, live: Table) -> None:
    card = members(hand_rows(live)[2].held)[0]
    for leak in (name(card), pretty(name(card)), str(hand_rows(live)[0].held), secrets_of(live)[2].hex()):
        assert leaks(live).search(f"<td>{leak}</td>"), leak


@pytest.mark.parametrize("judge", ["administrator"], indirect=True)
def test_redealing_the_hidden_cards_changes_no_byte_of_any_page(judge: Player, live: Table) -> None:
    client = browser(judge)
    client.get("/admin/")  # the first page of a day rolls the cookie of the session
    before = {url: stable(text) for url, text in every_page(client, live)}
    redeal_hidden(live)
    after = {url: stable(text) for url, text in every_page(client, live)}
    assert before.keys() == after.keys()
    assert [url for url in before if before[url] != after[url]] == []


def test_a_finished_round_shows_all_hands_as_the_rules_allow(judge: Player, live: Table) -> None:
    text = read(browser(judge), f"{page('game', live.id)}?round={FINISHED_ROUND}")
    finished = Hand.objects.filter(round__game=live.id, round__number=FINISHED_ROUND)
    shown = text[text.index("Dealt") :]
    for hand in finished:
        assert " ".join(map(pretty, names(hand.dealt))) in " ".join(re.sub(r"<[^>]+>", " ", shown).split())


def test_the_addresses_of_lists_answer_no_questions_about_hidden_things(judge: Player, live: Table) -> None:
    client = browser(judge)
    dealt = hand_rows(live)[0].dealt
    questions = [
        ("games/game", f"rounds__hands__dealt={dealt}"),
        ("games/game", "rounds__hands__held__gte=1"),
        ("games/game", "seats__hands__dealt__gte=1"),
        ("games/game", "deal_secrets__secrets__isnull=0"),
        ("games/game", "deal_secrets__isnull=0"),
        ("games/game", "events__private__has_key=0"),
        ("games/game", f"invite__startswith={live.invite[0]}"),
        ("games/game", "last_acts__0__startswith=play"),
        ("games/game", "ruleset__rounds=5"),
        ("games/game", "_to_field=invite"),
        ("players/player", "password__startswith=argon2"),
        ("players/player", "email__startswith=a"),
        ("players/player", "tokens__digest__isnull=0"),
        ("players/player", "is_superuser=1"),
        ("players/player", "_to_field=password"),
        ("players/audit", "actor__password__startswith=argon2"),
    ]
    for model, question in questions:
        response = client.get(f"/admin/{model}/?{question}")
        # Django sends some of these to the same list without the question.
        assert response.status_code in (302, 400), question
        assert response.status_code == 400 or response.headers["Location"].endswith("?e=1"), question


def test_tables_with_secrets_are_nowhere_in_the_admin() -> None:
    registered = {model.__name__ for model in admin.site._registry}
    assert registered == {"Player", "Audit", "Game", "Claim", "Fact", "Heartbeat"}


def every_page(client: Client, table: Table) -> Iterator[tuple[str, str]]:
    """Yield address and text of every page of the admin that leads somewhere, by links and by guessing."""
    waiting, seen = list(addresses(table)), set()
    while waiting:
        url = waiting.pop(0)
        if url in seen:
            continue
        seen.add(url)
        response = client.get(url)
        assert response.status_code < 500, url
        text = unquote(unescape(response.content.decode())) + str(dict(response.headers)) + str(response.cookies)
        yield url, text
        follow = [unescape(link) for link in LINK.findall(response.content.decode())]
        if "Location" in response.headers:
            follow.append(response.headers["Location"])
        waiting += [link for link in (absolute(url, link) for link in follow) if is_worth_following(link)]
        assert len(seen) < 500


def addresses(table: Table) -> Iterator[str]:
    """Yield what nothing links to, too: searches, orders, histories, forms, and what fills in selections."""
    yield "/admin/"
    for model in admin.site._registry:
        stem = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield from [stem, f"{stem}add/", f"{stem}?q=asha", f"{stem}?q={table.id}", f"{stem}?o=-1.2"]
        for key in list(model._default_manager.order_by("pk").values_list("pk", flat=True))[:3]:
            acts = ["change", "history", "delete", "suspend", "reinstate", "staff", "void", "again"]
            yield from (f"{stem}{key}/{act}/" for act in acts)
    for word in ("asha", table.id, "game", "hand"):
        yield from (f"/admin/search/?s={word}", f"/admin/search/?s={word}&extended=1")
    for model in apps.get_models():
        for field in model._meta.fields:
            if field.is_relation:
                asked = f"app_label={model._meta.app_label}&model_name={model._meta.model_name}&field_name={field.name}"
                yield f"{reverse('admin:autocomplete')}?{asked}&term="
    for number in range(4):
        yield f"{page('game', table.id)}?round={number}"
    yield from ("/admin/jsi18n/", "/admin/password_change/", "/admin/login/", "/admin/logout/")


def absolute(base: str, link: str) -> str:
    """Return the address that *link* leads to from the page *base*, without which list it leads back to."""
    whole = base.partition("?")[0] + link if link.startswith("?") else link
    return re.sub(r"[?&]_changelist_filters=[^&]*", "", whole)


def is_worth_following(link: str) -> bool:
    """Tell whether a link leads to a page of the admin that is not only the same list in another order."""
    path, _, query = link.partition("?")
    return path.startswith("/admin/") and query.count("&") == 0 and not query.startswith("o=")


def read(client: Client, url: str) -> str:
    """Return the text of a page."""
    response = client.get(url)
    assert response.status_code == 200
    return unescape(response.content.decode())


def leaks(table: Table, *, of_cards: bool = True) -> re.Pattern[str]:
    """Return a pattern of everything that nobody may see yet: cards, sets of cards, secrets, the invite."""
    hands = hand_rows(table)
    held = [name(card) for hand in hands for card in members(hand.held)]
    words = [f"{RANKS[card[0]]} of {SUITS[card[1]]}" for card in held]
    masks = [mask for hand in hands for mask in (hand.dealt, hand.held)]
    secrets = secrets_of(table)[RUNNING_ROUND:]
    spellings = [
        *([rf"\b({'|'.join([*held, *map(pretty, held)])})(?!\w)", rf"(?i:{'|'.join(words)})"] if of_cards else []),
        *(rf"\b({mask}|(?i:{mask:x})|{mask:b})\b" for mask in masks if mask),
        *(rf"(?i:{secret.hex()})|{re.escape(repr(secret)[2:-1])}" for secret in secrets),
        re.escape(table.invite),
    ]
    return re.compile("|".join(spellings))


def hand_rows(table: Table) -> list[Hand]:
    """Return the four current hands."""
    running = Hand.objects.filter(round__game=table.id, round__number=RUNNING_ROUND)
    return list(running.order_by("seat__number"))


def secrets_of(table: Table) -> tuple[bytes, ...]:
    """Return the secrets by round."""
    return split(bytes(DealSecrets.objects.get(game_id=table.id).secrets))


def redeal_hidden(table: Table) -> None:
    """Give the cards that are hidden to other seats, and other secrets to the rounds that are not over."""
    hands = hand_rows(table)
    hidden = [card for hand in hands for card in members(hand.held)]
    random.Random(8).shuffle(hidden)
    dealt = {}
    for hand in hands:
        played, count = hand.dealt & ~hand.held, hand.held.bit_count()
        hand.held = sum(1 << hidden.pop() for _ in range(count))
        hand.dealt = played | hand.held
        hand.save()
        dealt[str(hand.seat.number)] = {"hand": names(hand.dealt)}
    assert sum(hand.dealt for hand in hands) == FULL_PACK
    Event.objects.filter(game_id=table.id, type="round.dealt", public__round=RUNNING_ROUND).update(private=dealt)
    shown = b"".join(secrets_of(table)[:RUNNING_ROUND])
    DealSecrets.objects.filter(game_id=table.id).update(secrets=shown + bytes(32 * (6 - RUNNING_ROUND)))
    Game.objects.filter(id=table.id).update(invite="another")
    assert reread(table).state != table.state


def stable(text: str) -> str:
    """Return *text* without what differs each time: tokens against forgery, dates, how long ago something was."""
    return SPAN.sub("(a while)", FRESH.sub("", text))
