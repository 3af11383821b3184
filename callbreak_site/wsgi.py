"""The WSGI application, for granian."""

import os

from django.core.wsgi import get_wsgi_application

from callbreak_site.checks import refuse_dangers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

refuse_dangers()
application = get_wsgi_application()
