"""`zarbiter rules list`, `rules show` and `rules answer`: the games, their rules, and answers for test harnesses."""

import argparse
import sys

from controller.subcommands.options import (
    SubParsers,
    UsageError,
    add_command,
    load_house_rules,
    resolve_game,
)


def add(commands: SubParsers, summary: str) -> None:
    rules = commands.add_parser("rules", help=summary)
    questions = rules.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_list(questions)
    _add_show(questions)
    _add_answer(questions)


def _add_list(questions: SubParsers) -> None:
    listing = add_command(questions, "list", _list, "list the games")
    listing.add_argument("--json", action="store_true", help="one JSON object a line")


def _add_show(questions: SubParsers) -> None:
    show = add_command(questions, "show", _show, "print one game: parameters, start position, terms")
    show.add_argument("game", metavar="G", nargs="?", help="the game (default: the house variant of --rules)")
    show.add_argument("--json", action="store_true", help="one JSON object on one line")


def _add_answer(questions: SubParsers) -> None:
    answer = add_command(
        questions,
        "answer",
        _answer,
        "answer questions about the rules",
        "Reads one JSON case a line on standard input and prints one JSON answer a line.",
    )
    answer.add_argument("kind", metavar="KIND", help="plays, grasshopper, flow, scoring, cube, match or games")


def _list(options: argparse.Namespace) -> bool:
    import json

    from controller.wording.rules_pages import list_games, list_lines, list_record

    games = list_games(load_house_rules(options))
    lines = (json.dumps(list_record(game), ensure_ascii=False) for game in games) if options.json else list_lines(games)
    for line in lines:
        print(line)
    return True


def _show(options: argparse.Namespace) -> bool:
    import json

    from controller.wording.board_text import select_glyphs
    from controller.wording.rules_pages import show_lines, show_record

    game, rules = resolve_game(options, default=None)
    if options.json:
        print(json.dumps(show_record(game, rules), ensure_ascii=False))
        return True
    for line in show_lines(game, rules, select_glyphs(getattr(sys.stdout, "encoding", None))):
        print(line)
    return True


def _answer(options: argparse.Namespace) -> bool:
    from controller.rule_answers.run import KINDS, answer_lines
    from controller.rules.errors import quote_value, suggest

    if options.kind not in KINDS:
        raise UsageError(f"unknown kind {quote_value(options.kind)}; {suggest(options.kind, KINDS)}")
    house = load_house_rules(options)
    is_all_well = True
    for line, is_answered in answer_lines(options.kind, sys.stdin or (), house):
        print(line, flush=True)
        is_all_well &= is_answered
    return is_all_well
