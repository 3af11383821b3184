"""The start of a game: the draw for seats or for the first dealer, then the first deal."""

from games.models import EventType, GameStatus, Seat, Tenure
from games.rules import shuffle
from games.rules.cards import name
from games.rules.state import new_game
from games.selectors.proofs import secrets_of
from games.selectors.rows import Rows
from games.services.actors import Person
from games.services.journal import Journal
from games.services.progress import go_on


def start(rows: Rows, journal: Journal) -> None:
    """Start a game whose four places are taken, from the secret of round 0 and the joiners' own seeds."""
    joiners = sorted(rows.seats, key=lambda seat: seat.joined_order)
    for order, seat in enumerate(joiners):
        seat.joined_order = order
    seeds = [seat.seed for seat in joiners]
    key = shuffle.deal_key(secrets_of(rows.game.id)[0], rows.game.id.bytes, 0, seeds)
    game = rows.game
    game.status, game.started_at = GameStatus.ACTIVE, rows.now
    game.last_acts = [""] * 4
    journal.note(EventType.GAME_STARTED)
    if rows.ruleset.seating == "draw":
        dealer = 0
        _draw_seats(rows, joiners, key, journal)
    else:
        dealer = shuffle.first_dealer(key)
    Seat.objects.bulk_update(joiners, ["number", "joined_order", "drawn_card"])
    Tenure.objects.bulk_create(
        Tenure(seat=seat, player_id=seat.player_id, bot_level=seat.bot_level, from_version=game.version)
        for seat in rows.seats
    )
    go_on(rows, new_game(rows.ruleset, dealer), journal, Person(game.creator_id))


def _draw_seats(rows: Rows, joiners: list[Seat], key: bytes, journal: Journal) -> None:
    """Seat the joiners by the cards that they draw, highest first; the highest is the first dealer."""
    drawn = shuffle.deck(key)
    for seat, number, card in zip(joiners, shuffle.draw_order(drawn), drawn, strict=False):
        seat.number, seat.drawn_card = number, name(card)
    rows.seats.sort(key=lambda seat: seat.number)
    journal.note(
        EventType.SEATS_DRAWN,
        public={"cards": [seat.drawn_card for seat in rows.seats], "joined": [seat.number for seat in joiners]},
    )
