"""Hearers for tests: they write down what they are told, or fail as often as they are asked to."""

heard: list[str] = []
failures: list[Exception] = []


def listen(subject: str) -> None:
    """Write *subject* down, unless a failure is due."""
    if failures:
        raise failures.pop()
    heard.append(subject)


def listen_too(subject: str) -> None:
    """Write *subject* down under another name."""
    heard.append(f"{subject} too")


def fail() -> None:
    """Fail as a sweep does."""
    raise RuntimeError("no")
