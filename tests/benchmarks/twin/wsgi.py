"""The twin's WSGI application, for the same granian line."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.twin.settings"

application = get_wsgi_application()
