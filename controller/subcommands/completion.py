"""`zarbiter completion`: a script for bash or zsh, made from the parsers, that completes commands, options and names."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from controller.subcommands.options import CallParser, SubParsers

_SHELLS = {
    "bash": "",
    "zsh": "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n",  # zsh then understands bash's
}
_SCRIPT = """\
# zarbiter completion for a shell: put `eval "$(zarbiter completion bash)"` into ~/.bashrc, or the same with zsh into ~/.zshrc
_zarbiter() {{
  local word command="" words="" takes_file=1
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:$COMP_CWORD-1}}"; do
    case "$command $word" in
{commands}
    esac
  done
  case "$command" in
{words}
  esac
  case "$command $3" in
{values}
  esac
  case "$2" in -*) takes_file="" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$2"))
  if [ -n "$takes_file" ]; then COMPREPLY+=($(compgen -f -- "$2")); fi
}}
complete -o filenames -F _zarbiter zarbiter ./zarbiter
"""


@dataclass(frozen=True, slots=True)
class _Command:
    """`path` is empty for zarbiter itself. `values`: what may follow an option."""

    path: str
    words: tuple[str, ...]
    values: dict[str, tuple[str, ...]]


def add(commands: SubParsers, summary: str) -> None:
    completion = commands.add_parser(
        "completion",
        help=summary,
        description='Prints a script. For bash put eval "$(zarbiter completion bash)" into ~/.bashrc, for zsh the same into ~/.zshrc.',
    )
    completion.add_argument("shell", metavar="SHELL", choices=tuple(_SHELLS), help="bash or zsh")
    completion.set_defaults(command=_print, config=None, data=None)


def _print(options: argparse.Namespace) -> bool:
    for line in completion_script(options.shell).splitlines():
        print(line)
    return True


def completion_script(shell: str) -> str:
    """The script of a shell, `bash` or `zsh`."""
    cli = import_module("controller.cli")  # which imports this module
    commands = list(_collect(cli.make_parser(tuple(cli.COMMANDS)), ""))
    paths = [one.path for one in commands if one.path]
    lines = {
        "commands": [f'      "{path}") command="{path}" ;;' for path in map(_spaced, paths)],
        "words": [f'    "{_spaced(one.path)}") words="{" ".join(one.words)}" ;;' for one in commands],
        "values": [
            f'    "{_spaced(one.path)} {option}") words="{" ".join(values)}" takes_file="" ;;'
            for one in commands
            for option, values in one.values.items()
        ],
    }
    return _SHELLS[shell] + _SCRIPT.format(**{name: "\n".join(text) for name, text in lines.items()})


def _spaced(path: str) -> str:
    return f" {path}" if path else ""


def _collect(parser: argparse.ArgumentParser, path: str) -> Iterator[_Command]:
    words: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    inner: dict[str, CallParser] = {}
    for action in parser._actions:  # argparse has no public list of its options
        words += action.option_strings
        known = _known_values(action)
        if isinstance(action, argparse._SubParsersAction):
            inner = action.choices
            words += inner
        elif action.option_strings and known:
            values |= dict.fromkeys(action.option_strings, known)
        else:
            words += known
    yield _Command(path, tuple(words), values)
    for name, one in inner.items():
        yield from _collect(one, f"{path} {name}".strip())


def _known_values(action: argparse.Action) -> tuple[str, ...]:
    from controller.match import PROFILES, Mode
    from controller.rules import GAMES

    named = {"game": GAMES, "profile": tuple(PROFILES), "mode": tuple(mode.value for mode in Mode)}
    return tuple(map(str, action.choices)) if action.choices else named.get(action.dest, ())
