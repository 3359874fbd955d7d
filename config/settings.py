"""Django's settings. Importing this starts nothing and touches no server; it fails loudly without its URLs."""

from __future__ import annotations

from pathlib import Path

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import env
from config.logs import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent
ENV = env.read()

SECRET_KEY = ENV.secret_key
DEBUG = ENV.debug
ALLOWED_HOSTS = list(ENV.hosts)
REDIS_URL = ENV.redis_url
WEB_THREADS = ENV.threads
LIVE_THREADS = 2  # resolve who listens to a live stream; together with the page threads they fill the pool
TESTING = ENV.testing
STYLEGUIDE = ENV.debug

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "core",
    "players",
    "scoring",
    "gameplay",
    "tournaments",
]
MIDDLEWARE = [
    "core.web.timeless.timeless",  # before whatever sets a cookie
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "core.web.nul.NoNul",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "config.urls"
REFUSAL_SENTENCE = "tournaments.web.sentences.sentence_for"  # of all rooms; pages of lower ones find it here
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "players.web.asking.signed_in",
            ],
        },
    }
]

# One connection per request would be five times slower than a pool. The pool checks a connection before it hands
# it out, so a restart of PostgreSQL costs no page; it is the only keeper of connections, hence CONN_MAX_AGE 0.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": ENV.database.name,
        "USER": ENV.database.user,
        "PASSWORD": ENV.database.password,
        "HOST": ENV.database.host,
        "PORT": ENV.database.port,
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **ENV.database.options,
            "connect_timeout": 5,
            "pool": {"min_size": 1, "max_size": WEB_THREADS + LIVE_THREADS, "timeout": 5},
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "players.User"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

LANGUAGE_CODE = "it"
LANGUAGES = [("it", _("Italian")), ("tr", _("Turkish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = ENV.https
USE_TZ = True
TIME_ZONE = "Europe/Rome"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = ENV.static
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if ENV.static
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = ENV.static is None
WHITENOISE_AUTOREFRESH = ENV.debug and ENV.static is None

# No inline script, no inline style, no other origin: from the first page on.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# The cookie of the messages would be signed with the time in it.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# A club laptop serves plain http in its hall: a secure cookie would never come back, and browsers complain about an
# opener policy there. Whoever serves https says so once and gets all of it.
SECURE_SSL_REDIRECT = ENV.https
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if ENV.https else 0
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if ENV.https else None
SESSION_COOKIE_SECURE = ENV.https
CSRF_COOKIE_SECURE = ENV.https
# Subdomains and browsers' preload lists belong to whoever owns the domain, not to one program under it.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Celery. Messages are ids in JSON, results are rows of ours, and nothing waits on the broker for long: an eta beyond
# the visibility timeout would be delivered three times.
CELERY_BROKER_URL = ENV.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "socket_keepalive": True}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ROUTES = {"heavy.*": {"queue": "heavy"}}
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_CONCURRENCY = ENV.threads
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "config.celery:MemoryScheduler"

LOGGING = logging_config(ENV.debug)
