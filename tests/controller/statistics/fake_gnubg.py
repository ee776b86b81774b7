"""A program in the place of GNU Backgammon, which answers at once, or not at all."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from controller.formats import gnubgid
from controller.formats.exporting.turn_states import find_match_state, parse_turn_reference
from controller.formats.importing.import_file import read_match_text
from controller.formats.match_model import MatchHistory
from tests.controller.statistics.logged_matches import SHORT


def short_match() -> MatchHistory:
    return read_match_text(SHORT.format(white="Ann", black="Ben")).match


def answer_for(match: MatchHistory, loss: float = 0.5) -> dict[str, Any]:
    """Each play loses `loss`; Black's second turn has a missed double, after a wrong double and a wrong take; a wrong drop ends the game."""
    records = [_record(match, number, loss) for number in range(1, 5)]
    records[3]["double"] = [0.4, 0.9]
    double = {**records[3], "action": "double", "dice": [], "double": [1.2, 1.5]}
    errors = {"plays": 3, "play_loss": 3 * loss, "cubes": 1, "cube_loss": 0.5, "ratings": [0, 8, 0]}
    take = {**double, "action": "take", "player": 0}
    drop = {**take, "action": "drop", "double": [0.4, 0.6]}
    return {
        "players": [errors, errors],
        "games": [{"score": [0, 0], "records": [*records[:3], double, take, records[3], drop]}],
    }


def _record(match: MatchHistory, number: int, loss: float) -> dict[str, Any]:
    state = find_match_state(match, parse_turn_reference(str(number)))
    board = gnubgid(state).partition(":")[0]
    play = {"loss": loss, "made": "24/18(2)", "best": "=1+1"}
    cube = {"cube": 1, "owner": -1, "double": None}
    dice = [] if state.dice is None else [*state.dice]
    return {"player": (number - 1) % 2, "action": "move", "board": board, "dice": dice, **cube, **play}


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Makes this shell script the only GNU Backgammon of the machine."""
    folder.mkdir(exist_ok=True)
    program = folder / "gnubg"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def install_answer(folder: Path, monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
    install(folder, monkeypatch, f"cp '{folder / 'answer.json'}' analysis.json")


def uninstall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.statistics.gnubg._SEARCH_PATH", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
