"""What is done without anybody asking for it, by name: settings pass it on."""

from typing import Any

# Who hears which fact, through which queue, and until when; a bot's turn has its own sweep, however old it is.
HEARERS: dict[str, dict[str, Any]] = {
    "turn.started": {"call": ["bots.services.take_turns"], "queue": "turns", "stale_after_minutes": 60},
    "password.reset_asked": {
        "call": ["players.services.resets.send_reset_letter"],
        "queue": "maintenance",
        "stale_after_minutes": 60,
    },
}
# What finds due rows that no kick has reached; what tidies up.
SWEEPS = [
    "callbreak_site.outbox.services.resend_unhandled",
    "games.services.deadlines.expire_overdue",
    "bots.services.resume_due",
]
MAINTENANCE = [
    "callbreak_site.outbox.services.purge_handled",
    "callbreak_site.http.idempotency.purge_expired",
    "players.services.tokens.purge_expired",
    "players.services.visits.purge_ended",
    "players.services.resets.purge_requests",
    "games.services.lobby.expire_open_games",
    "games.services.reservations.purge_reservations",
    "bots.services.purge_claims",
    "games.services.archiving.archive_ended",
]
# What /metrics reads.
READINGS_OF_BROKER = ["callbreak_site.outbox.readings.of_broker"]
READINGS_OF_ROWS = [
    "callbreak_site.outbox.readings.of_rows",
    "games.selectors.lateness.readings",
    "callbreak_site.metrics.readings.of_server",
]
