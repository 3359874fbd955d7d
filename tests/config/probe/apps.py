from __future__ import annotations

import json
import os
from importlib import import_module

from django.apps import AppConfig


class ProbeConfig(AppConfig):
    name = "tests.config.probe"
    label = "probe"

    def ready(self) -> None:
        """PROBE_TIMES is {"module.NAME": value}: nobody wants to wait a minute for a test."""
        for path, value in json.loads(os.environ.get("PROBE_TIMES", "{}")).items():
            module, _, name = path.rpartition(".")
            assert hasattr(import_module(module), name), path
            setattr(import_module(module), name, value)
