"""`zarbiter replay --table`: prints for each game its counts and every difference between referee and record."""

import argparse
from typing import TYPE_CHECKING

from controller.formats import one_line
from controller.simulation.recorded_table import BoardNotFoundError, ReplayOptions, replay_games
from controller.subcommands.options import CommandFailedError, format_count

if TYPE_CHECKING:
    from controller.formats import MatchHistory
    from controller.simulation.recorded_table import ReplayedGame, ReplayFinding

_ALL_TURNS = 1_000_000


def replay_on_table(match: "MatchHistory", options: argparse.Namespace) -> bool:
    """Whether there is no difference. A question of the referee is printed but is no difference."""
    seed = 1 if options.seed is None else options.seed
    replay_options = ReplayOptions(not options.readings, seed, options.turns or _ALL_TURNS)
    differences = turns = 0
    try:
        for game in replay_games(match, replay_options):
            _print_game(game, "readings" if options.readings else "frames")
            differences += game.differences
            turns += game.comparison.turns
    except BoardNotFoundError as error:
        raise CommandFailedError(str(error)) from None
    if not turns:
        raise CommandFailedError("no turn of this match can be shown on the table; see its turns with --all")
    return not differences


def _print_game(game: "ReplayedGame", unit: str) -> None:
    found, number = game.comparison, game.part.game.number
    for remark in game.part.remarks:
        print(f"Game {number}: {remark}")
    if not found.turns and not game.findings:
        print(f"Game {number}: no turn to show", flush=True)
        return
    for finding in game.findings:
        print(f"Game {number}, {_format_finding(finding)}")
    said = [format_count(found.turns, "turn"), format_count(found.throws, "throw")]
    if game.cube_acts:
        said.append(f"{format_count(game.cube_acts, 'act')} with the cube")
    if found.illegal:
        said.append(f"{found.illegal_named} of {format_count(found.illegal, 'illegal play')} named")
    agrees = "the referee agrees with the record"
    verdict = format_count(game.differences, "difference") if game.differences else agrees
    questions = sum(one.is_question for one in game.findings)
    asked = f"; he asked {format_count(questions, 'time')}" if questions else ""
    print(f"Game {number}: {', '.join(said)} in {game.frame_count} {unit}; {verdict}{asked}", flush=True)


def _format_finding(finding: "ReplayFinding") -> str:
    where = f"turn {finding.turn}" if finding.turn else "no turn"
    return one_line(f"{where}: {finding.what}: {finding.sentence}", 400)
