"""What every endpoint shares: problems, parsing, throttles, pagination and idempotency."""
