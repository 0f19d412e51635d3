"""The program: `hostless ...` and `python -m hostless ...`."""

from __future__ import annotations

import sys

from hostless.ui.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
