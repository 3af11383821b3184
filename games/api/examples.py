"""Requests to copy, for the documentation."""

from drf_spectacular.utils import OpenApiExample

CREATE = [
    OpenApiExample(
        "Against three bots", request_only=True, value={"ruleset": "lite", "bots": ["medium", "medium", "medium"]}
    ),
    OpenApiExample(
        "Among friends, over days",
        request_only=True,
        value={
            "ruleset": "call-break-2",
            "options": {"rounds": 3},
            "visibility": "private",
            "time_control": {"kind": "correspondence", "per_turn": 86400},
            "fill_with": "medium",
        },
    ),
]
BID = [OpenApiExample("A bid of three", request_only=True, value={"bid": 3})]
PLAY = [
    OpenApiExample("The ace of spades", request_only=True, value={"card": "AS"}),
    OpenApiExample(
        "Only if nothing has happened since", request_only=True, value={"card": "TD", "expected_version": 42}
    ),
]
