"""A program that plays a match without end, to be killed: its arguments are a settings text and a data folder."""

import sys
import time
from pathlib import Path

from tests.controller.publishing.published_match import PublishedMatch, settings_of


def main() -> None:
    match = PublishedMatch.begun(settings_of(sys.argv[1]), Path(sys.argv[2]))
    while True:
        match.refuse(1)
        time.sleep(0.005)


if __name__ == "__main__":
    main()
