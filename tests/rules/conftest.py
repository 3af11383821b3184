"""How Hypothesis works here: machines that build are slow and shared, so no example has a deadline."""

from hypothesis import HealthCheck, settings

settings.register_profile("rules", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rules")
