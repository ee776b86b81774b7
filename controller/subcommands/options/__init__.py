"""Options that several sub-commands share, usage errors, exit statuses and the progress bar."""
