"""Django's settings. Importing this starts nothing and touches no server; it fails loudly without its URLs."""

from __future__ import annotations

from datetime import timedelta
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
CLOCK_GUARD = ENV.embedded  # the database has the wall clock of this machine, which anybody can set
STYLEGUIDE = ENV.debug
DEMO_SIGN_IN = not ENV.lan  # players.web.asking
PUBLIC_ADDRESS = ENV.address  # core.web.address
BACKUP = ENV.backup is not None  # core.backups

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "axes",
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
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
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
                "tournaments.web.notices.notices",
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
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {"user_attributes": ("username", "display_name")}),
        ("MinimumLengthValidator", {}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]

# Whoever may not even try is stopped before a password is looked at.
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "/"

# allauth: a user name and a password. No mail, no sign-up, nothing that needs Valkey; axes keeps the limits.
ACCOUNT_ADAPTER = "players.web.entering.Adapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # who took a seat, or is somebody of the demonstration, signs in, too
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_RATE_LIMITS = False

# axes: failed sign-ins by name and address, and by address; only the address of the connection counts, since a header
# can say anything. Who signed in when is kept nowhere.
AXES_HANDLER = "players.web.limits.Handler"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "players.web.limits.address_of"
AXES_USERNAME_CALLABLE = "players.web.limits.name_in"
AXES_LOCKOUT_CALLABLE = "players.web.limits.locked_page"
AXES_CLIENT_STR_CALLABLE = "players.web.limits.nobody"
AXES_SENSITIVE_PARAMETERS = ["login", "old", "password", "again", "token", "csrfmiddlewaretoken"]
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

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
SESSION_ENGINE = "players.sessions"
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
