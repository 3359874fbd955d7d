"""Runs what it is told, line by line: a second process of the house that costs a test no start."""

from __future__ import annotations

import json
import sys
import traceback

import django
from django.db import connections

django.setup()
for line in sys.stdin:
    fault = None
    try:
        exec(json.loads(line), {})
    except Exception:
        fault = traceback.format_exc()
    finally:
        connections.close_all()
    print(json.dumps(fault), flush=True)
