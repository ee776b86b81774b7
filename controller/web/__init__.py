"""The live page: a sink that hands what it is shown to a web server in a thread of its own, and orders that come back.

    loop ─▶ PageSink ─▶ LiveMatch (newest state, the last events) ─▶ server thread ─▶ browsers
    loop ◀─ commands ◀─ OrderBox (a few, bounded) ◀────────────────┘

The loop never waits for the server, nor the server for a browser: of states only the newest counts, and events are
asked for by number, so that whoever was away goes on where he stopped.
"""
