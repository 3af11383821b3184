"""At the table: bid, play, resign, agree to finish, play again."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http.forms import VersionedForm
from callbreak_site.http.schema import operation
from games.api import examples, forms, shapes
from games.api.endpoints import GameEndpoint, TableEndpoint
from games.services import table
from games.services.rematch import rematch_game

TAGS = ["Table"]
NOT_NOW = (Code.NOT_SEATED, Code.GAME_NOT_ACTIVE, Code.VERSION_CONFLICT)
NOT_THIS_ACT = (*NOT_NOW, Code.WRONG_PHASE, Code.NOT_YOUR_TURN)


class Bids(TableEndpoint):
    """Bids of the running round."""

    lanes: ClassVar = {"POST": "play"}

    @operation(
        "bid",
        form=forms.BidForm,
        answers={200: shapes.State},
        refuses=(*NOT_THIS_ACT, Code.ILLEGAL_BID),
        tags=TAGS,
        examples=examples.BID,
    )
    def post(self, request: Request, **_: Any) -> Response:
        """Bid. The same bid sent again changes nothing and is answered with the state as it is now."""
        return self.write(request, forms.BidForm, self.bid, self.find)

    def bid(self, values: dict[str, Any]) -> Response:
        """Place it."""
        return self.state(table.place_bid(game_id=self.game_id, by=self.by, seen=self.seen, **values))


class Plays(TableEndpoint):
    """Cards of the running trick."""

    lanes: ClassVar = {"POST": "play"}

    @operation(
        "play",
        form=forms.PlayForm,
        answers={200: shapes.State},
        refuses=(*NOT_THIS_ACT, Code.CARD_NOT_HELD, Code.ILLEGAL_PLAY),
        tags=TAGS,
        examples=examples.PLAY,
    )
    def post(self, request: Request, **_: Any) -> Response:
        """Play a card. The same card sent again changes nothing and is answered with the state as it is now."""
        return self.write(request, forms.PlayForm, self.play, self.find)

    def play(self, values: dict[str, Any]) -> Response:
        """Put it down."""
        return self.state(table.play_card(game_id=self.game_id, by=self.by, seen=self.seen, **values))


class Resignation(GameEndpoint):
    """Leaving a running game."""

    @operation("resign", form=VersionedForm, answers={200: shapes.State, 204: None}, refuses=NOT_NOW, tags=TAGS)
    def post(self, request: Request, **_: Any) -> Response:
        """Leave for good: a bot takes the seat. 204 when the game can't be seen any more."""
        return self.write(request, VersionedForm, self.resign, self.find)

    def resign(self, values: dict[str, Any]) -> Response:
        """Leave."""
        return self.state(table.resign_seat(game_id=self.game_id, player_id=self.caller.player_id, **values))


class FinishVote(GameEndpoint):
    """Finishing an open-ended game."""

    @operation(
        "agree_to_finish",
        form=VersionedForm,
        answers={200: shapes.State},
        refuses=(*NOT_NOW, Code.NOT_AVAILABLE),
        tags=TAGS,
    )
    def put(self, request: Request, **_: Any) -> Response:
        """Agree to finish: once all people do, the running round is the last; without a card down it is dropped."""
        return self.write(request, VersionedForm, lambda values: self.vote(True, values), self.find)

    @operation(
        "withdraw_agreement",
        form=VersionedForm,
        answers={200: shapes.State},
        refuses=(*NOT_NOW, Code.NOT_AVAILABLE, Code.FINISH_AGREED),
        tags=TAGS,
    )
    def delete(self, request: Request, **_: Any) -> Response:
        """Agree no longer; too late once all have agreed."""
        return self.write(request, VersionedForm, lambda values: self.vote(False, values), self.find)

    def vote(self, wants_to_finish: bool, values: dict[str, Any]) -> Response:
        """Vote."""
        voted = table.vote_to_finish(
            game_id=self.game_id, player_id=self.caller.player_id, wants_to_finish=wants_to_finish, **values
        )
        return self.state(voted)


class Rematch(GameEndpoint):
    """The same table again."""

    @operation(
        "rematch",
        form=VersionedForm,
        answers={200: shapes.State},
        refuses=(Code.NOT_SEATED, Code.GAME_NOT_FINISHED, Code.VERSION_CONFLICT, Code.GAME_NOT_OPEN),
        tags=["Lobby"],
    )
    def post(self, request: Request, **_: Any) -> Response:
        """Return the game that follows a finished one, with the caller seated: everybody who asks gets the same one."""
        return self.write(request, VersionedForm, self.play_again, self.find)

    def play_again(self, values: dict[str, Any]) -> Response:
        """Make it, or sit down."""
        if self.caller.game_id is not None:
            raise ServiceError(Code.MISSING_SCOPE, "The token is for one game only, and the next is another.")
        return self.state(rematch_game(game_id=self.game_id, player_id=self.caller.player_id, **values))
