"""The sub-commands of the command line, one module for each group.

A module's `add` gives its group a parser; the parser names the function that runs the command, and that function
chooses and joins the parts (sources, ports, files) the command is made of. Nothing but `controller/cli.py` leans on
this folder, and what a command needs is imported when it runs.
"""
