#!/usr/bin/env python
"""Django's command line for the Callbreak service."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    """Run one command; a database that is away gets a sentence, not a stack trace."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        sys.exit(f"The database does not answer: {error}\nStart the service with `make run`, or set DATABASE_URL.")


if __name__ == "__main__":
    main()
