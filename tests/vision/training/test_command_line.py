"""The training's command line; needs the training extra."""

from collections.abc import Iterator, Sequence
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
        (["dice_joint", "--distil"], "--distil is for dice_finder, dice, dice_quick"),
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


def test_joint_training_takes_the_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each network has its own state file; what no option sets is as in the step's schedule."""
    asked: list[tuple[list[tuple[str, int, int, float]], int]] = []

    def noted(learners: Sequence[Learner], _loss: object, _samples: object, workers: int) -> None:
        each = [(one.state_file.name, one.schedule.batch, one.schedule.steps, one.schedule.rate) for one in learners]
        asked.append((each, workers))

    monkeypatch.setattr(command_line, "train", noted)
    main(["dice_joint", "--work", str(tmp_path), "--batch", "8", "--steps", "3", "--workers", "5"])
    main(["dice_joint", "--work", str(tmp_path)])
    names = ["dice.state", "dice_quick.state"]
    usual = TRAINING_STEPS["dice_joint"].schedule
    assert asked[0] == ([(name, 8, 3, usual.rate) for name in names], 5)
    assert asked[1] == ([(name, usual.batch, usual.steps, usual.rate) for name in names], 1)


def test_fine_tuning_draws_its_first_batches_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all networks that start from published weights; not at all where each has a state to resume."""
    drawn: list[int] = []
    started: list[object] = []

    def batches(_samples: object, size: int, workers: int) -> Iterator[list[int]]:
        drawn.append(workers)
        return iter([[size]] * (NORMALISATION_BATCHES + 1))

    def published(network: object, _file: Path, pictures: Sequence[int]) -> object:
        started.append(list(pictures))
        return network

    monkeypatch.setattr(command_line, "load_batches", batches)
    monkeypatch.setattr(command_line, "load_published_weights", published)
    monkeypatch.setattr(command_line, "pretrain_masks", lambda network, _some: network)
    monkeypatch.setattr(command_line, "train", lambda learners, *_: [learner.save() for learner in learners])
    for _ in range(2):
        main(["dice_joint", "--fine-tune", "--work", str(tmp_path), "--batch", "8", "--workers", "3"])
    assert drawn == [3]
    assert started == [[8] * NORMALISATION_BATCHES] * 2


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
    make = TRAINING_STEPS["dice_joint"].make
    times = [len(list(make(tmp_path / "000000.json", np.random.default_rng(seed)))) for seed in range(200)]
    assert np.mean([bool(samples) for samples in times]) == pytest.approx(shown, abs=0.08)
