"""`python -m vision.training`. The work is told elsewhere: processes that are started anew do not import this file."""

from vision.training.command_line import main

main()
