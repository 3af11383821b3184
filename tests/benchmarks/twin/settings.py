"""The service's settings, with the middleware of a new Django project and one address."""

from callbreak_site.settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.twin.urls"
WSGI_APPLICATION = "tests.benchmarks.twin.wsgi.application"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
REST_FRAMEWORK: dict[str, object] = {}
