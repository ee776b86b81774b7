"""What keeps a referee running on a machine of its own: the service of systemd, and updates."""
