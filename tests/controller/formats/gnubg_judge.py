"""GNU Backgammon as the judge of our exports, where it is installed; `samples/gnubg_check.txt` runs inside it."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.formats.match_model import CubeAction, GameAction, GameEnding, GameHistory, MatchHistory, PlayedTurn
from controller.formats.safe_text import safe_names
from controller.formats.variations import Variation, find_variation
from controller.match.events import CubeAct
from controller.rules import Player, parse_setup

CHECK = Path(__file__).parent / "samples" / "gnubg_check.txt"  # Python that runs inside GNU Backgammon
GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
needs_gnubg = pytest.mark.skipif(
    GNUBG is None and "REQUIRE_GNUBG" not in os.environ,
    reason="GNU Backgammon is not installed; on Debian, apt-get install gnubg",
)
_VARIATIONS = dict(zip(Variation, ("Standard", "Nackgammon", "Hypergammon3"), strict=True))
_ACTS = {CubeAct.OFFERED: "double", CubeAct.BEAVERED: "double", CubeAct.TAKEN: "take", CubeAct.DROPPED: "drop"}


def verdict(expect: Path, files: Sequence[Path], home: Path) -> str:
    """The verdict line of the check, with the problems before it."""
    assert GNUBG is not None, "GNU Backgammon is required here, and is not installed"
    environment = {
        "HOME": str(home),
        "EXPECT": str(expect),
        "FILES": " ".join(map(str, files)),
        "PATH": "/usr/bin:/bin",
    }
    command = [GNUBG, "-t", "-q", "-r", "-p", str(CHECK)]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False
    )
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if line.startswith(("PROBLEM", "GNUBG-CHECK")))


def expectation(match: MatchHistory) -> str:
    """The match that GNU Backgammon should find, as JSON for the check."""
    record = {
        "match_length": match.length or 0,
        "variation": _VARIATIONS[find_variation(match)],
        "players": list(safe_names(match)),
        "games": [_game(game) for game in match.games],
    }
    return json.dumps(record)


def _game(game: GameHistory) -> dict[str, object]:
    result = game.result
    return {
        "score_before": list(game.score),
        "winner": None if result is None or result.winner is None else _side(result.winner),
        "points": None if result is None else result.points,
        "resigned": result is not None and result.ending is GameEnding.RESIGNED,
        "turns": [record for turn in game.turns if (record := _turn(turn)) is not None],
    }


def _turn(turn: GameAction) -> dict[str, object] | None:
    match turn:
        case PlayedTurn():
            assert turn.after is not None
            setup = parse_setup(turn.after)
            after = {f"p{_side(player)}": [*setup.side(player).points, setup.side(player).bar] for player in Player}
            return {"side": _side(turn.player), "action": "move", "dice": list(turn.roll), "after": after}
        case CubeAction(player=Player() as player):
            return {"side": _side(player), "action": _ACTS[turn.act]}
        case _:
            return None


def _side(player: Player) -> int:
    return 0 if player is Player.WHITE else 1
