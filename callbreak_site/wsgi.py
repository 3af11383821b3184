"""The WSGI application, for granian."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

from callbreak_site.checks import refuse_dangers  # noqa: E402

refuse_dangers()
application = get_wsgi_application()
