"""A log tells where an error happened, and nothing of the rows that it happened to."""

import io
import json
import logging

from callbreak_site.logs import logging_config


def test_the_text_of_an_error_is_not_written() -> None:
    formatter = dict(logging_config("INFO")["formatters"]["line"])
    made = formatter.pop("()")(**formatter)
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(made)
    logger = logging.Logger("test")
    logger.addHandler(handler)
    try:
        raise ValueError("Failing row contains (dealt 4503599627370495)")
    except ValueError:
        logger.exception("a turn was not taken")
    line = json.loads(written.getvalue())
    assert "4503599627370495" not in written.getvalue()
    assert line["exception"].endswith("ValueError") and "test_logs.py" in line["exception"]
