"""A game that is over is packed once, whole or not at all, and whoever reads or acts meanwhile notices nothing."""

import io
import logging
import random
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.db.models import ProtectedError
from django.db.models.functions import Now

from callbreak_site.failpoints import FailureOnPurpose
from games.models import Archive, Event, Game, Mention, Play, Round, Trick
from games.models.packing import Contents, PackedPlay, pack, unpack
from games.presenters.table import Table
from games.selectors.contents import contents_of, contents_of_rows
from games.selectors.events import all_events, chapters, events_after
from games.selectors.exports import whole_record, written_record
from games.selectors.replay import differences
from games.selectors.rounds import round_record, round_records
from games.services import archiving
from games.services.archiving import NotPacked, archive_ended, archive_game
from games.services.lobby import Plan, cancel_game, create_game
from games.services.moderation import void_game
from games.services.rematch import rematch_game
from games.services.table import vote_to_finish
from tests.admin.desks import moderator
from tests.games.ended import (
    cancelled_by_all,
    eventful,
    finished,
    is_whole,
    rows_left,
    void_before_a_card,
    void_in_a_round,
)
from tests.games.tables import four_at_a_table, person, play_on, reread, ruleset
from tests.games.threads import race

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = timedelta(0)
archive_now = partial(archive_game, over_for=AT_ONCE)


def altered(table: Table, change: Callable[[Contents], Contents]) -> None:
    """Change what the archive of a game holds."""
    archive = Archive.objects.get(game=table.id)
    archive.record = pack(change(archive.contents))
    archive.save()


def test_only_games_that_started_and_have_been_over_for_an_hour_are_archived() -> None:
    running, _ = four_at_a_table()
    fresh, _ = finished("lite")
    never_started = create_game(player_id=person().id, plan=Plan(ruleset=ruleset()))
    cancel_game(game_id=never_started.id, player_id=never_started.creator_id)
    old = [finished("call-break-2")[0], void_in_a_round()[0], cancelled_by_all()[0]]
    others = [running.id, never_started.id, create_game(player_id=person().id, plan=Plan(ruleset=ruleset())).id]
    Game.objects.exclude(id__in=[fresh.id]).filter(ended_at__isnull=False).update(
        ended_at=Now() - timedelta(hours=1, seconds=1)
    )
    assert [archive_game(game_id=game_id) for game_id in (*others, fresh.id)] == [False] * 4
    assert archive_ended() == 3 and archive_ended() == 0
    assert {game.id.hex for game in Game.objects.filter(is_archived=True)} == {table.id for table in old}
    assert all(is_whole(table) for table in (running, fresh, *old))
    for table in old:
        assert differences(table.id) == []


def test_all_that_is_due_is_archived_in_one_run_however_many(monkeypatch) -> None:
    monkeypatch.setattr(archiving, "AT_ONCE", 2)
    tables = [cancelled_by_all()[0] for _ in range(5)]
    Game.objects.update(ended_at=Now())  # the same moment for several: the pages go on by id
    assert archive_ended(over_for=AT_ONCE, seconds=0) == 0
    assert archive_ended(over_for=AT_ONCE) == len(tables)


def test_a_game_that_is_not_what_its_record_makes_is_left_reported_and_in_nobodys_way(caplog) -> None:
    wrong, right = finished("lite")[0], cancelled_by_all()[0]
    play = Play.objects.filter(round__game=wrong.id).latest("id")
    play.delete()
    before = rows_left(wrong)
    with caplog.at_level(logging.ERROR):
        assert archive_ended(over_for=AT_ONCE) == 1
    assert [record.getMessage() for record in caplog.records] == [
        f"game can't be archived: game={wrong.id} error=NotPacked"
    ]
    assert rows_left(wrong) == before and is_whole(wrong) and is_whole(right)


def test_a_crash_before_the_rows_go_loses_nothing(settings) -> None:
    table, _ = finished("lite")
    before = contents_of_rows(uuid.UUID(table.id))
    settings.FAILPOINTS = "archive.before_delete=raise"
    with pytest.raises(FailureOnPurpose):
        archive_now(game_id=table.id)
    settings.FAILPOINTS = ""
    assert not Archive.objects.exists() and contents_of_rows(uuid.UUID(table.id)) == before
    assert archive_now(game_id=table.id) is True and contents_of(uuid.UUID(table.id)) == before


def test_rows_stay_when_the_archive_reads_back_otherwise() -> None:
    table, _ = cancelled_by_all()
    other = pack(contents_of_rows(uuid.UUID(table.id))._replace(plays=[PackedPlay(1, 1, 0, 0, 0)])).hex()
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION write_wrong() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN NEW.record = decode('{other}', 'hex'); RETURN NEW; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER wrong BEFORE INSERT ON games_archive FOR EACH ROW EXECUTE FUNCTION write_wrong()"
        )
    try:
        with pytest.raises(NotPacked):
            archive_now(game_id=table.id)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION write_wrong CASCADE")
    assert rows_left(table) == Event.objects.filter(game=table.id).count() > 0 and is_whole(table)


def archive_in_time(game_id: str) -> bool:
    """Pack a game, or leave it to the next run when somebody else holds it for too long."""
    try:
        return archive_now(game_id=game_id)
    except OperationalError:
        return False


def test_of_two_that_pack_the_same_game_one_does() -> None:
    for _ in range(8):
        table, _ = cancelled_by_all()
        before = contents_of(uuid.UUID(table.id))
        calls = [partial(archive_in_time, table.id)] * 3
        assert sorted(map(bool, race(*calls))) == [False, False, True]
        assert contents_of(uuid.UUID(table.id)) == before and is_whole(table)


def everything(table: Table) -> tuple[Any, ...]:
    """Return what each selector tells of a game."""
    game_id = uuid.UUID(table.id)
    paged = [told for after in range(0, table.version, 50) for told in events_after(game_id, after, 50)]
    seen = reread(table)
    record = whole_record(seen)
    # The clock runs on.
    return (
        paged, all_events(game_id), chapters(game_id), round_records(game_id), round_record(game_id, 1),
        {name: record[name] for name in ("rounds", "proofs", "events", "fairness")}, written_record(seen),
    )  # fmt: skip


def test_whoever_reads_while_a_game_is_packed_reads_all_of_it() -> None:
    reads = 0
    for number in range(4):
        table, _ = finished("lite") if number else eventful()
        whole = everything(table)
        is_done, is_read = threading.Event(), threading.Barrier(3)

        def read(table: Table = table, whole: Any = whole, done: Any = is_done, first: Any = is_read) -> int:
            looks = 0
            while not done.is_set() or looks < 2:
                assert everything(table) == whole
                looks += 1
                if looks == 1:
                    first.wait(30)
            return looks

        def pack_it(table: Table = table, done: Any = is_done, first: Any = is_read) -> None:
            try:
                first.wait(30)
                assert archive_now(game_id=table.id) is True
            finally:
                done.set()

        *looks, _ = race(read, read, pack_it)
        reads += sum(looks)
        assert everything(table) == whole
    assert reads >= 16


def test_a_reader_between_two_of_the_packers_statements_sees_the_rows(settings) -> None:
    table, _ = finished("lite")
    whole = everything(table)
    settings.FAILPOINTS = "archive.before_delete=sleep:1"
    looks: list[bool] = []

    def look() -> None:
        while not Game.objects.get(id=table.id).is_archived:
            looks.append(everything(table) == whole)

    race(partial(archive_now, game_id=table.id), look)
    assert len(looks) > 1 and all(looks) and everything(table) == whole


def test_a_packer_beside_a_rematch_a_vote_and_a_moderator_leaves_a_sound_game() -> None:
    judge = moderator()
    for number in range(6):
        table, players = finished("master") if number % 2 else void_before_a_card()
        answers = race(
            partial(archive_now, game_id=table.id),
            partial(rematch_game, game_id=table.id, player_id=players[0].id),
            partial(vote_to_finish, game_id=table.id, player_id=players[1].id, wants_to_finish=True),
            partial(void_game, game_id=table.id, moderator_id=judge.id, reason="While it is packed."),
        )
        assert isinstance(answers[1], Table) and not isinstance(answers[2], Table)
        assert isinstance(answers[3], Table) is bool(number % 2)
        assert Game.objects.get(id=table.id).rematch_id == uuid.UUID(answers[1].id)
        assert is_whole(table) and differences(table.id) == []
        archive_now(game_id=table.id)
        assert is_whole(table) and rows_left(table) == 0 and differences(table.id) == []


def test_an_archived_game_can_be_voided_and_is_packed_again() -> None:
    table, _ = eventful()
    before = contents_of(uuid.UUID(table.id))
    archive_now(game_id=table.id)
    assert Mention.objects.count() == 1
    void_game(game_id=table.id, moderator_id=moderator().id, reason="Found out later.")
    assert is_whole(table) and rows_left(table) > 0 and Mention.objects.count() == 0
    after = contents_of(uuid.UUID(table.id))
    assert (after.events[:-1], *after[1:]) == tuple(before)
    assert [told.type for told in events_after(uuid.UUID(table.id), table.version, 9)] == ["game.voided"]
    assert differences(table.id) == []
    assert archive_now(game_id=table.id) is True and contents_of(uuid.UUID(table.id)) == after


def test_whom_an_archive_names_cannot_be_deleted() -> None:
    table, players = eventful()
    left_before_the_start = players[1]
    archive_now(game_id=table.id)
    assert Mention.objects.get().player_id == left_before_the_start.id
    for player in players:
        with pytest.raises(ProtectedError):
            player.delete()
    Game.objects.get(id=table.id).delete()
    left_before_the_start.delete()


def verified(*ids: str) -> tuple[str, str]:
    """Return what `manage.py verify_games` prints."""
    out, err = io.StringIO(), io.StringIO()
    with suppress(CommandError):
        call_command("verify_games", *ids, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_verify_games_plays_archives_again_and_finds_what_was_changed() -> None:
    table, _ = finished("lite")
    archive_now(game_id=table.id)
    archive_now(game_id=cancelled_by_all()[0].id)
    assert verified() == ("2 games verified, 0 with differences\n", "")
    record = bytes(Archive.objects.get(game=table.id).record)
    changes: dict[str, Callable[[Contents], Contents]] = {
        "plays": lambda whole: whole._replace(plays=whole.plays[:-1]),
        "tricks": lambda whole: whole._replace(tricks=[*whole.tricks[:-1], whole.tricks[-1]._replace(winner=None)]),
        "numbered": lambda whole: whole._replace(events=whole.events[:-1]),
        "tells other hands": lambda whole: whole._replace(events=[told._replace(private={}) for told in whole.events]),
    }
    for sentence, change in changes.items():
        altered(table, change)
        told, found = verified(table.id)
        assert told == "1 games verified, 1 with differences\n" and sentence in found
        Archive.objects.filter(game=table.id).update(record=record)
    assert verified(table.id) == ("1 games verified, 0 with differences\n", "")


def test_the_games_that_are_due_are_found_by_their_index() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        plan = archiving.due(AT_ONCE).values_list("ended_at", "id")[:100].explain()
    assert "Index Scan Backward using games_to_archive" in plan or "Scan using games_to_archive" in plan, plan


def test_a_packed_game_of_five_rounds_takes_less_than_six_kilobytes() -> None:
    table, _ = four_at_a_table(ruleset("lite"))
    table = play_on(table, random.Random(1))
    rng, passed = random.Random(2), timedelta(0)
    events = []
    for event in contents_of(uuid.UUID(table.id)).events:
        passed += timedelta(microseconds=rng.randrange(10_000_000, 20_000_000_000))  # as people play
        events.append(event._replace(at=event.at + passed))
    whole = contents_of(uuid.UUID(table.id))._replace(events=events)
    assert len(whole.events) > 350 and len(whole.plays) == 260
    assert unpack(1, pack(whole)) == whole
    assert len(pack(whole)) < 6_000
    assert archive_now(game_id=table.id) is True
    rounds = Round.objects.filter(game=table.id)
    assert not Play.objects.filter(round__in=rounds).exists() and not Trick.objects.filter(round__in=rounds).exists()
