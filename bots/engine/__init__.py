"""How the house's bots choose, pure: from one seat's view and a source of chance to a bid or a card."""

from bots.engine.fallback import fallback
from bots.engine.levels import LEVELS, Level, choose

__all__ = ["LEVELS", "Level", "choose", "fallback"]
