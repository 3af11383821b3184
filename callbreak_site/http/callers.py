"""Who is asking, as far as endpoints need to know."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Caller:
    """The person behind a request and what the token that was sent allows; it stands where Django expects a user."""

    player_id: UUID
    username: str
    kind: str
    token_id: UUID
    scopes: frozenset[str]
    game_id: UUID | None = None

    @property
    def is_authenticated(self) -> bool:
        """Be true, for code that asks any user."""
        return True
