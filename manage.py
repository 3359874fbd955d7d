#!/usr/bin/env python3
"""The one door of Gingodrome: `python3 manage.py up | test | lint | bench | wheelhouse`, or a Django command."""

import sys

from config import bootstrap

if __name__ == "__main__":
    sys.exit(bootstrap.main(sys.argv[1:]))
