"""The sub-commands of the command line, one module per group. See README.md.

A module's `add` adds the group's parser, and the parser names the function that runs the command. That function chooses
and joins the parts (sources, ports, files) and imports them when it runs. Only `controller/cli.py` imports this room: its
table names each module and the line of `zarbiter --help`.
"""
