"""Bots at work: they take the turns that wait for one."""

from bots.services.claims import purge_claims
from bots.services.turns import resume_due, take_turns

__all__ = ["purge_claims", "resume_due", "take_turns"]
