#!/usr/bin/env python
"""Django's command line for the Callbreak service."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    """Run one command; what a person must put right gets a sentence, not a stack trace."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")
    try:
        settings.DEBUG  # noqa: B018 (reads the environment)
    except (ImproperlyConfigured, ValueError) as error:
        sys.exit(f"The environment is not right: {error}")
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.exit(130)
    except OperationalError as error:
        sys.exit(f"The database does not answer: {error}\nStart the service with `make run`, or set DATABASE_URL.")


if __name__ == "__main__":
    main()
