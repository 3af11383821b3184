"""How Hypothesis works here: machines that build are slow and shared, so no example has a deadline."""

from hypothesis import settings

settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
