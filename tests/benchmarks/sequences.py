"""Rendered games transcribed from their pictures: `python -m tests.benchmarks.sequences [DIR…]`.

DIR is a sequence as `shared/boards/README.md` describes it (default: ../shared/boards/sequence_*); folders without an
`index.json` are passed over. Each is transcribed by `zarbiter transcribe --stills`, which is given only the game.

The renderer that made the shared sequences makes two dozen more with other seeds. It has its own environment, because
its OpenCV and ours exclude each other, and needs LLVM 17 or newer. On Debian 12, called from the project's folder:

    apt install libllvm19
    export DRJIT_LIBLLVM_PATH=/usr/lib/$(uname -m)-linux-gnu/libLLVM.so.19.1
    python3 -m venv ../rendering && ../rendering/bin/pip install -r ../shared/tools/render/requirements.txt
    for seed in $(seq 7001 7024); do
        game=backgammon; [ $((seed % 2)) = 1 ] || game=nardy
        plies=0; [ $((seed % 3)) != 0 ] || plies=$((seed % 23 + 4))
        asked="--seed $seed --game $game --turns 2 --plies $plies --width 1280 --threads 1"
        ../rendering/bin/python ../shared/tools/render/sequence.py --out ../sequences/$seed $asked
    done
    python -m tests.benchmarks.sequences ../sequences/*

The games alternate; every third sequence begins in mid-game, after random plies. Each has 10 to 15 pictures, which take
some three minutes on one core.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from controller.cli import main as zarbiter
from controller.match_log import read_match
from tests.benchmarks.board_scores import table
from tests.benchmarks.sequence_labels import Found, PlayedGame, SequenceScore, played_game, score_of

BOARDS = Path(__file__).parents[2].parent / "shared" / "boards"
_COLUMNS = ("turns", *(found.value for found in Found), "throws refused wrongly", "seating", "seconds")
_MOST_UNSURE_SHARE = 0.05  # of the turns of all sequences; one turn in each sequence is always allowed


def transcribed(game: PlayedGame, match: Path) -> SequenceScore:
    """Transcribes a game with the command that users call, and scores the log."""
    asked = ["transcribe", str(game.folder), "--game", game.game, "--stills", "--json", "-o", str(match)]
    zarbiter(asked)  # status 1: it ran, and a turn is not in the log
    if not match.is_file():
        return SequenceScore(Counter(Found.MISSING for _ in game.turns), seating_is_right=False, refused=0)
    return score_of(read_match(match).events, game)


def _row(turns: int, score: SequenceScore, seconds: float) -> list[str]:
    seating = "right" if score.seating_is_right else "WRONG"
    return [
        str(turns), *(str(score.found[found]) for found in Found), str(score.refused), seating, f"{seconds:.1f}"
    ]  # fmt: skip


def _unknown(found: Counter[Found]) -> int:
    return found[Found.UNSURE] + found[Found.MISSING]


def is_missed(games: Sequence[PlayedGame], scores: Sequence[SequenceScore]) -> bool:
    """Prints the figures beside their bars. Whether a bar is missed; a missing turn counts as unsure."""
    total = sum((score.found for score in scores), Counter[Found]())
    wrong = total[Found.WRONG_ROLL] + total[Found.WRONG_RULING] + total[Found.INVENTED]
    refused = sum(score.refused for score in scores)
    most_unknown = max((_unknown(score.found) for score in scores), default=0)
    turns = sum(len(game.turns) for game in games)
    seatings = sum(not score.seating_is_right for score in scores)
    share = _unknown(total) / max(turns, 1)
    few = len(games) <= 3
    bars = (
        ("wrong rolls or rulings", wrong + refused, 0.0),
        ("wrong seatings", seatings, 0.0),
        ("most unsure or missing turns in one sequence", most_unknown, 1.0),
        *(() if few else (("share of unsure or missing turns", share, _MOST_UNSURE_SHARE),)),
    )
    print(f"\n{len(games)} sequences, {turns} turns")
    for name, value, bar in bars:
        print(f"  {name:46} {value:7.3f}   bar {bar:5.3f}   {'kept' if value <= bar else 'MISSED'}")
    return any(value > bar for _, value, bar in bars)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sequences")
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    folders = parser.parse_args(arguments).folders or sorted(BOARDS.glob("sequence_*"))
    games = [played_game(folder) for folder in folders if (folder / "index.json").is_file()]
    scores, rows = list[SequenceScore](), dict[str, list[str]]()
    with tempfile.TemporaryDirectory() as made:
        for number, game in enumerate(games):
            begun = time.perf_counter()
            scores.append(transcribed(game, Path(made) / f"{number}.zmatch"))
            rows[f"{game.name} ({game.game})"] = _row(len(game.turns), scores[-1], time.perf_counter() - begun)
    for line in table("Sequences of still pictures", _COLUMNS, rows):
        print(line)
    return int(is_missed(games, scores))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
