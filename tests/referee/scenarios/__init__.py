"""What the referee plays through, by name; each is called with a World and may return a remark."""

from . import accounts, games, lobby, order, privacy, retries, tokens, votes

SCENARIOS = {
    **games.SCENARIOS,
    **votes.SCENARIOS,
    **lobby.SCENARIOS,
    **privacy.SCENARIOS,
    **order.SCENARIOS,
    **retries.SCENARIOS,
    **accounts.SCENARIOS,
    **tokens.SCENARIOS,
}
