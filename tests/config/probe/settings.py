from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS as ROOMS

INSTALLED_APPS = [*ROOMS, "tests.config.probe"]
ROOT_URLCONF = "tests.config.probe.urls"
