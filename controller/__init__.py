"""The referee and its shell: the rules of the games, the command line, and later everything between camera and light."""
