"""`python -m attnspec.cli`."""

import sys

from attnspec.cli import main

sys.exit(main())
