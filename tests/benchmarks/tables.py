"""Tables of four people made through the API, and what a player of all four hands sends next."""

from dataclasses import dataclass

from games.rules.cards import NAMES, cards
from games.rules.ruleset import LITE
from games.rules.trick import SEATS, Trick, legal_plays
from tests.benchmarks.connection import Connection, request

ROUNDS_A_GAME = 5


@dataclass(frozen=True)
class Person:
    """A guest with a token."""

    name: str
    token: str


def four_people(connection: Connection) -> list[Person]:
    """Make four guests."""
    made = [connection.ask("POST", "/players/guest") for _ in range(SEATS)]
    return [Person(guest["player"]["username"], guest["token"]) for guest in made]


@dataclass
class Table:
    """A game in which all have bid in the running round; *tokens* and *hands* are by seat."""

    game_id: str
    tokens: list[str]
    hands: list[int]
    trick: Trick

    def next_play(self) -> bytes:
        """Return the request of whoever is on turn: the highest card of those that are legal."""
        seat = self.trick.seat_to_play
        legal = legal_plays(self.hands[seat], self.trick, LITE)
        card = legal.bit_length() - 1
        self.hands[seat] ^= 1 << card
        self.trick = self.trick.add(card)
        if self.trick.is_complete:
            self.trick = Trick(self.trick.winner)
        body = b'{"card":"%b"}' % NAMES[card].encode()
        return request("POST", f"/games/{self.game_id}/plays", self.tokens[seat], body)

    def next_view(self) -> bytes:
        """Return the request by which whoever is on turn looks at the game."""
        return request("GET", f"/games/{self.game_id}", self.tokens[self.trick.seat_to_play])

    @property
    def is_round_over(self) -> bool:
        """Whether all cards of the round have been played."""
        return not any(self.hands)


def seat_four(connection: Connection, people: list[Person], *, rounds: int = ROUNDS_A_GAME) -> Table:
    """Start a public game of *people* with so many rounds, and have the bids of its first round made."""
    game_id = connection.ask("POST", "/games", people[0].token, {"ruleset": "lite", "options": {"rounds": rounds}})[
        "id"
    ]
    for person in people[1:]:
        state = connection.ask("POST", f"/games/{game_id}/seats", person.token, {})
    by_name = {person.name: person.token for person in people}
    tokens = [by_name[seat["player"]] for seat in state["seats"]]
    return bid_all(connection, game_id, tokens)


def bid_all(connection: Connection, game_id: str, tokens: list[str]) -> Table:
    """Make the four bids of a round that has just been dealt."""
    hands = [0] * SEATS
    first = connection.ask("GET", f"/games/{game_id}", tokens[0])["turn"]["seat"]
    for seat in ((first + place) % SEATS for place in range(SEATS)):
        bid = {"bid": 3}
        hands[seat] = cards(
            " ".join(connection.ask("POST", f"/games/{game_id}/bids", tokens[seat], bid)["you"]["hand"])
        )
    return Table(game_id, tokens, hands, Trick(first))
