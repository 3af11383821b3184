"""Django's settings, read from the environment; README.md lists the variables.

`CALLBREAK_ENV` says where we are: `home` (the default, what `make run` uses), `production` (the environment must say
everything; what is unsafe refuses to start, see `checks.py`) or `test`.
"""

from pathlib import Path

import environ
from kombu import Exchange, Queue

from callbreak_site import chores
from callbreak_site.desk import look
from callbreak_site.embedded import addresses
from callbreak_site.logs import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

CALLBREAK_ENV = env.str("CALLBREAK_ENV", default="home")
IS_PRODUCTION = CALLBREAK_ENV == "production"
DATA_DIR = addresses.data_folder()

# Secrets and hosts. At home the key lives in the data folder, made by the first start.
DEBUG = env.bool("DEBUG", default=False)
IS_SECRET_KEY_GIVEN = bool(env.str("SECRET_KEY", default=""))
SECRET_KEY = env.str("SECRET_KEY", default="") or addresses.secret_key(DATA_DIR)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[] if IS_PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SERVERS_GIVEN = {name for name in ("DATABASE_URL", "REDIS_URL") if env.str(name, default="")}
FAILPOINTS = env.str("CB_FAILPOINTS", default="")

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "callbreak_site.apps.SiteConfig",
    "callbreak_site.http",
    "callbreak_site.outbox",
    "players",
    "games",
    "bots",
]

MIDDLEWARE = [
    "callbreak_site.metrics.counters.RequestCount",
    "callbreak_site.logs.RequestLog",
    "callbreak_site.headers.SafeHeaders",
    "callbreak_site.http.outside.ShortBodies",
    "django.middleware.security.SecurityMiddleware",
    "callbreak_site.pages.Compression",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "callbreak_site.pages.Sessions",
    "callbreak_site.pages.Languages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "callbreak_site.pages.Accounts",
    "players.web.seen.Visits",
    "callbreak_site.pages.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
# What only pages need, and the API does without: `handlers.py` does not even ask it.
FOR_PAGES = {
    "callbreak_site.pages.Compression",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "callbreak_site.pages.Sessions",
    "callbreak_site.pages.Languages",
    "django.middleware.csrf.CsrfViewMiddleware",
    "callbreak_site.pages.Accounts",
    "players.web.seen.Visits",
    "callbreak_site.pages.Messages",
    "axes.middleware.AxesMiddleware",
}

ROOT_URLCONF = "callbreak_site.urls"
WSGI_APPLICATION = "callbreak_site.wsgi.application"
ASGI_APPLICATION = "callbreak_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "callbreak_site" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ]
        },
    }
]

# Rows in PostgreSQL are the truth. Whoever waits 3 s for a lock, or 10 s for a statement, is told 503.
DATABASE_URL = env.str("DATABASE_URL", default="") or addresses.database_url(DATA_DIR)
DATABASES = {"default": env.db_url_config(addresses.checked(DATABASE_URL, "DATABASE_URL"))}
DATABASES["default"].update(CONN_MAX_AGE=None, CONN_HEALTH_CHECKS=True)
LOCK_TIMEOUT_MS = env.int("DB_LOCK_TIMEOUT_MS", default=3_000)
STATEMENT_TIMEOUT_MS = env.int("DB_STATEMENT_TIMEOUT_MS", default=10_000)
DATABASES["default"].setdefault("OPTIONS", {}).update(
    connect_timeout=env.int("DB_CONNECT_TIMEOUT", default=3),
    prepare_threshold=5,  # lets `prepared.py` prepare; Django's own cursors never do
    options=f"-c lock_timeout={LOCK_TIMEOUT_MS} -c statement_timeout={STATEMENT_TIMEOUT_MS}"
    # What is prepared finds rows by their keys: a plan fits all, and is made once a connection instead of six times.
    " -c idle_in_transaction_session_timeout=60000 -c plan_cache_mode=force_generic_plan",
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis only wakes things up, and counts requests.
REDIS_URL = addresses.checked(env.str("REDIS_URL", default="") or addresses.redis_url(DATA_DIR), "REDIS_URL")

# People. Django-axes slows guessing at /admin/; the API has its own limits.
AUTH_USER_MODEL = "players.Player"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "players.web.backend.OpenAccounts"]
# The tests sign up hundreds of people; a good hash takes its time on purpose.
HASHER = "MD5PasswordHasher" if CALLBREAK_ENV == "test" else "Argon2PasswordHasher"
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{HASHER}"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    # Refuses the name itself as the password; a long password may well contain it.
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "email"], "max_similarity": 1.0},
    },
]
AXES_ONLY_ADMIN_SITE = True
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # its pages would show who signs in from where, to no use of ours
AXES_CLIENT_IP_CALLABLE = "callbreak_site.http.addresses.caller_text"
LOGIN_URL = "/admin/login/"
LOGIN_REDIRECT_URL = "/admin/"
PASSWORD_RESET_TIMEOUT = 7200
ACCOUNT_CLOSING = ["games.services.leaving.release_seats"]

# Time is UTC everywhere; the database clock decides.
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("ne", "नेपाली"),
    ("hi", "हिन्दी"),
    ("bn", "বাংলা"),
    ("id", "Bahasa Indonesia"),
    ("vi", "Tiếng Việt"),
    ("zh-hant", "繁體中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_SAMESITE = "Lax"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "static" if IS_PRODUCTION else None  # elsewhere whitenoise asks the finders
WHITENOISE_USE_FINDERS = not IS_PRODUCTION
WHITENOISE_MAX_AGE = 60 if IS_PRODUCTION else 0  # at home a file keeps its name when it changes
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "callbreak_site.static_files.StaticFiles"
        if IS_PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Behind a proxy that ends TLS. At home there is none, so cookies may travel over plain HTTP.
USES_HTTPS = env.bool("USES_HTTPS", default=IS_PRODUCTION)
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = 31_536_000 if USES_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = USES_HTTPS
# The proxy in front redirects to HTTPS; whether a domain goes onto the browsers' preload list is its owner's decision.
SILENCED_SYSTEM_CHECKS = ["security.W008", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = USES_HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 90 * 86_400  # since the last day on which it was used
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "callbreak_site.web.failures.stale_form"
DATA_UPLOAD_MAX_MEMORY_SIZE = 262_144  # of a whole request, files too; the API reads less, see parsing.py

# REST.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["players.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["callbreak_site.http.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["callbreak_site.http.rendering.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "callbreak_site.http.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": None,
    "COERCE_DECIMAL_TO_STRING": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Callbreak",
    "DESCRIPTION": (BASE_DIR / "callbreak_site" / "http" / "introduction.md").read_text(),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PATH_CONVERTER_OVERRIDES": {
        "id": {"type": "string", "pattern": "^[0-9a-fA-F]{32}$"},
        "number": {"type": "integer", "minimum": 0},
    },
    "POSTPROCESSING_HOOKS": ["callbreak_site.http.schema.without_marks"],  # choices are told where they stand
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
# Requests allowed: each lane is counted on its own, per token, or per address where there is none.
THROTTLES = {
    "read": env.str("THROTTLE_READ", default="50/second"),
    "play": env.str("THROTTLE_PLAY", default="20/second"),
    "write": env.str("THROTTLE_WRITE", default="20/second"),
    "anonymous": env.str("THROTTLE_ANONYMOUS", default="50/second"),
    "sign_up": env.str("THROTTLE_SIGN_UP", default="120/hour"),
    # Guessing one person's password from one place, and anybody's from one place.
    "sign_in": env.str("THROTTLE_SIGN_IN", default="10 per 15 minutes"),
    "sign_in_address": env.str("THROTTLE_SIGN_IN_ADDRESS", default="100 per 15 minutes"),
    # Mails to one person, and mails that one place asks for.
    "mail": env.str("THROTTLE_MAIL", default="5/hour"),
    "mail_address": env.str("THROTTLE_MAIL_ADDRESS", default="20/hour"),
}
# Networks of our own proxies: only what they say in X-Forwarded-For is believed.
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])

# Mail: at home into files, in production through the server that is named; without one nobody can be sent any.
EMAIL_URL = env.str("EMAIL_URL", default="")
SENDS_MAIL = bool(EMAIL_URL) or not IS_PRODUCTION
EMAIL_FILE_PATH = str(DATA_DIR / "mails")
EMAIL_BACKEND = f"django.core.mail.backends.{'dummy' if IS_PRODUCTION else 'filebased'}.EmailBackend"
if EMAIL_URL:
    globals().update({name: value for name, value in env.email_url_config(EMAIL_URL).items() if value})
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Callbreak <callbreak@localhost>")

# Work in the background: due rows are the queue, Celery runs it.
CELERY_BROKER_URL = addresses.celery_url(REDIS_URL)
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "socket_timeout": 3,
    "socket_connect_timeout": 1,
}
# Each with its own key: two queues of one key would both get what is sent by key.
CELERY_TASK_QUEUES = [Queue(name, Exchange("callbreak"), routing_key=name) for name in ("turns", "maintenance")]
CELERY_TASK_DEFAULT_QUEUE = CELERY_TASK_DEFAULT_ROUTING_KEY = "maintenance"
CELERY_TASK_DEFAULT_EXCHANGE = "callbreak"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_TIME_LIMIT = 55  # below the visibility timeout, so no task runs beside its own redelivery
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "callbreak_site.outbox.tasks.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "maintain": {"task": "callbreak_site.outbox.tasks.maintain", "schedule": 600.0, "options": {"expires": 600}},
}
HEARERS, SWEEPS, MAINTENANCE = chores.HEARERS, chores.SWEEPS, chores.MAINTENANCE
# What the first page of the admin lists as late, and what writes the audit for apps that players knows nothing of.
UNFOLD = look.UNFOLD
BACKLOGS = ["games.admin.backlogs", "bots.admin.backlogs", "callbreak_site.outbox.admin.backlogs"]
AUDIT = "players.services.audit.write_audit"
BOT_LEVELS = {"easy": "Easy bot", "medium": "Medium bot"}
BOT_SECONDS_TO_THINK = 10
BOT_MEGABYTES_TO_THINK = 512
WORKER_SILENT_AFTER_SECONDS = 30

# What /metrics tells whoever brings the token; without one it is not there.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
READINGS_OF_BROKER, READINGS_OF_ROWS = chores.READINGS_OF_BROKER, chores.READINGS_OF_ROWS

LOGGING = logging_config(env.str("LOG_LEVEL", default="INFO"))
