"""The WSGI application, for granian."""

import gc
import os
from importlib import import_module

import django
from django.conf import settings

from callbreak_site.checks import refuse_dangers
from callbreak_site.embedded.addresses import data_folder
from callbreak_site.handlers import Site
from callbreak_site.metrics.sharing import share_counts

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

refuse_dangers()
share_counts(data_folder())
django.setup(set_prefix=False)
application = Site()
import_module(settings.ROOT_URLCONF)
# All that is loaded by now stays for good: the collector would go through it again and again, amid requests.
gc.collect()
gc.freeze()
