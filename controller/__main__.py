"""`python -m controller` runs `zarbiter`."""

import sys

from controller.cli import main

if __name__ == "__main__":  # a process that is spawned beside this one imports this module again
    sys.exit(main())
