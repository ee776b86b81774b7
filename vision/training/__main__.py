"""`python -m vision.training`. Empty but for the call: spawned worker processes must not run a main module."""

from vision.training.command_line import main

main()
