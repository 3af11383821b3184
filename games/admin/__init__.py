"""The admin's pages of games; hands and secrets have none, and are read by none before their round is over."""

from games.admin.games import GameAdmin
from games.admin.late import backlogs

__all__ = ["GameAdmin", "backlogs"]
