"""`python -m vision.training.rendered`."""

import sys

from vision.training.rendered.command_line import main

if __name__ == "__main__":
    sys.exit(main())
