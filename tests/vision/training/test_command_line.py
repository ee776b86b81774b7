"""The training's command line; needs the training extra."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="install the extra: pip install -e '.[training]'")
pytest.importorskip("onnx", reason="install the extra: pip install -e '.[training]'")

from tests.vision.training.known_dice import board_below, crop_with, flat_die
from vision.dice.readings import DieState
from vision.training import command_line
from vision.training.command_line import NORMALISATION_BATCHES, main
from vision.training.learning import Learner
from vision.training.samples.crop_store import write_crops
from vision.training.steps import SLIGHT_LEAN_DROP_SHARE, TRAINING_STEPS


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["edges", "--distil"], "--distil is for dice_finder, dice, dice_fine_tune"),
        (["clutter"], "name their folder with --clutter"),
    ],
)
def test_an_option_without_effect_is_refused(
    asked: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*asked, "--work", "somewhere"])
    assert ended.value.code == 2
    assert expected in capsys.readouterr().err


def test_a_step_takes_the_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fine-tuning goes on with the state of its network; what no option sets is as in the step's schedule."""
    asked: list[tuple[str, int, int, float, int]] = []

    def noted(learner: Learner, _loss: object, _samples: object, workers: int) -> None:
        schedule = learner.schedule
        asked.append((learner.state_file.name, schedule.batch, schedule.steps, schedule.rate, workers))

    monkeypatch.setattr(command_line, "train", noted)
    main(["dice_fine_tune", "--work", str(tmp_path), "--batch", "8", "--steps", "3", "--workers", "5"])
    main(["dice_fine_tune", "--work", str(tmp_path)])
    usual = TRAINING_STEPS["dice_fine_tune"].schedule
    assert asked[0] == ("dice.state", 8, 3, usual.rate, 5)
    assert asked[1] == ("dice.state", usual.batch, usual.steps, usual.rate, 1)


def test_fine_tuning_starts_from_published_weights_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a state exists, it goes on from there."""
    started: list[object] = []

    def published(network: object, file: Path, pictures: Sequence[int]) -> object:
        started.append((file.name, list(pictures)))
        return network

    batches = iter([[8]] * (NORMALISATION_BATCHES + 1))
    monkeypatch.setattr(command_line, "load_batches", lambda *_: batches)
    monkeypatch.setattr(command_line, "load_published_weights", published)
    monkeypatch.setattr(command_line, "pretrain_masks", lambda network, _some: network)
    monkeypatch.setattr(command_line, "train", lambda learner, *_: learner.save())
    for _ in range(2):
        main(["dice_fine_tune", "--fine-tune", "--work", str(tmp_path), "--batch", "8"])
    assert started == [("dice.onnx", [8] * NORMALISATION_BATCHES)]


@pytest.mark.parametrize(
    ("tilt_deg", "on_checker", "shown"),
    [(7.0, False, 1 - SLIGHT_LEAN_DROP_SHARE), (7.0, True, 1.0), (14.0, False, 1.0)],
)
def test_slight_leans_are_rare_except_on_checkers(
    tmp_path: Path, tilt_deg: float, on_checker: bool, shown: float
) -> None:
    """Crumbs tilt few dice; a die on a checker that leans lies at any angle."""
    board = board_below()
    flat, leaning = flat_die(board, (250.0, 200.0)), flat_die(board, (280.0, 220.0))
    leaning = replace(leaning, state=DieState.COCKED, tilt_deg=tilt_deg, touches_checker=on_checker)
    other = replace(flat, touches_checker=not on_checker)
    write_crops(tmp_path, [crop_with(other, leaning, board=board)], first=0)
    make = TRAINING_STEPS["dice_fine_tune"].make
    times = [len(list(make(tmp_path / "000000.json", np.random.default_rng(seed)))) for seed in range(200)]
    assert np.mean([bool(samples) for samples in times]) == pytest.approx(shown, abs=0.08)
