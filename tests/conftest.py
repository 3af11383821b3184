"""What every test may ask for."""

from pathlib import Path


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave modules that help tests to those that import them; looking for doctests would run each on its own."""
    is_help = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if is_help else None
