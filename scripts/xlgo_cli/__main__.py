"""``python -m xlgo_cli`` is the command ``xlgo``."""

import sys

from .cli import main

sys.exit(main())
