"""`python -m attnspec`."""

import sys

from attnspec.cli import main

sys.exit(main())
