"""What may differ between two viewers of one game, and what may not."""

from .client import blame
from .shapes import same


def without_clock(state):
    """Return *state* without what changes by itself."""
    turn = state["turn"] and {field: value for field, value in state["turn"].items() if field != "seconds_left"}
    return state | {"turn": turn}


def public_part(state):
    """Return the part of *state* that is the same for every viewer."""
    return {field: value for field, value in without_clock(state).items() if field not in ("you", "invite")}


def compare(watchers):
    """Raise Wrong unless viewers that saw the same version saw the same public part, events and rounds."""
    seen, told, tags = {}, {}, {}
    for watcher in watchers:
        name, state = watcher.client.name, watcher.state
        if state is None:
            continue
        other, part = seen.setdefault(state["version"], (name, public_part(state)))
        with blame(watcher.client.exchanges[-1]):
            same(public_part(state), part, f"what {name} sees, unlike {other}, at version {state['version']}")
            mine = without_clock(watcher.etag_state or {"turn": None})
            same(mine, tags.setdefault(watcher.etag, mine), f"the state behind the ETag of {name}")
            if watcher.fairness:
                commitments = watcher.fairness["commitments"]
                same(commitments, told.setdefault("commitments", commitments), f"the commitments that {name} is shown")
            if watcher.story:
                for event in watcher.story.public:
                    same(event, told.setdefault(event[0], event), f"an event that {name} is told")
            for number, detail in watcher.finished_rounds.items():
                same(detail, told.setdefault(("round", number), detail), f"round {number} that {name} is shown")
