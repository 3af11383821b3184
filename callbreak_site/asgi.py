"""The ASGI application, for servers that want one."""

import os

from django.core.asgi import get_asgi_application

from callbreak_site.checks import refuse_dangers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

refuse_dangers()
application = get_asgi_application()
