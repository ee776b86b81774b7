"""`zarbiter rules list`, `rules show` and `rules answer`: the games, their rules, and answers for test harnesses."""

import argparse
import sys
from typing import TYPE_CHECKING

from controller.subcommands.options import EXIT_FAILED, EXIT_OK, CallParser, UsageError, load_house_rules, resolve_game

if TYPE_CHECKING:
    from controller.subcommands.options import SubParsers


def add(commands: "SubParsers", for_all: CallParser, summary: str) -> None:
    rules = commands.add_parser("rules", help=summary, allow_abbrev=False)
    questions = rules.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_list(questions, for_all)
    _add_show(questions, for_all)
    _add_answer(questions, for_all)


def _add_list(questions: "SubParsers", for_all: CallParser) -> None:
    listing = questions.add_parser("list", parents=[for_all], help="list the games", allow_abbrev=False)
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    listing.set_defaults(command=_list)


def _add_show(questions: "SubParsers", for_all: CallParser) -> None:
    show = questions.add_parser(
        "show", parents=[for_all], help="print one game: parameters, start position, terms", allow_abbrev=False
    )
    show.add_argument("game", metavar="G", nargs="?", help="the game (default: the house variant of --rules)")
    show.add_argument("--json", action="store_true", help="one JSON object on one line")
    show.set_defaults(command=_show)


def _add_answer(questions: "SubParsers", for_all: CallParser) -> None:
    answer = questions.add_parser(
        "answer",
        parents=[for_all],
        help="answer questions about the rules",
        description="Reads one JSON case a line on standard input and prints one JSON answer a line.",
        allow_abbrev=False,
    )
    answer.add_argument("kind", metavar="KIND", help="plays, grasshopper, flow, scoring, cube, match or games")
    answer.set_defaults(command=_answer)


def _list(options: argparse.Namespace) -> int:
    import json

    from controller.wording.rules_pages import list_games, list_lines, list_record

    games = list_games(load_house_rules(options))
    lines = (json.dumps(list_record(game), ensure_ascii=False) for game in games) if options.json else list_lines(games)
    for line in lines:
        print(line)
    return EXIT_OK


def _show(options: argparse.Namespace) -> int:
    import json

    from controller.wording.board_text import select_glyphs
    from controller.wording.rules_pages import show_lines, show_record

    game, rules = resolve_game(options, default=None)
    if options.json:
        print(json.dumps(show_record(game, rules), ensure_ascii=False))
        return EXIT_OK
    for line in show_lines(game, rules, select_glyphs(getattr(sys.stdout, "encoding", None))):
        print(line)
    return EXIT_OK


def _answer(options: argparse.Namespace) -> int:
    from controller.rule_answers.run import KINDS, answer_lines

    if options.kind not in KINDS:
        raise UsageError(f"unknown kind {options.kind!r}; choose one of {', '.join(KINDS)}")
    house = load_house_rules(options)
    is_all_well = True
    for line, is_answered in answer_lines(options.kind, sys.stdin or (), house):
        print(line, flush=True)
        is_all_well &= is_answered
    return EXIT_OK if is_all_well else EXIT_FAILED
