"""Networks that go on from their published files; needs the training extra."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="install the extra: pip install -e '.[training]'")
onnx = pytest.importorskip("onnx", reason="install the extra: pip install -e '.[training]'")

from vision.training.all_networks import NETWORKS
from vision.training.dice_objectives import mask_loss
from vision.training.export import MODELS, export
from vision.training.published_weights import (
    PublishedTeacher,
    interpolate_weights,
    load_published_weights,
    pretrain_masks,
)
from vision.training.samples.dice_samples import MASK_CELLS

NAMES = tuple(NETWORKS)


def pictures(name: str, count: int) -> list[Any]:
    chance = torch.Generator().manual_seed(5)
    return [torch.randn(2, *NETWORKS[name].input_shape, generator=chance) for _ in range(count)]


def opencvs_answers(name: str, picture: Any) -> list[np.ndarray]:
    reader = cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"))
    reader.setInput(picture.numpy())
    return list(reader.forward(list(NETWORKS[name].outputs)))


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_as_its_file_does(name: str) -> None:
    """The same numbers as OpenCV gives with the file, so nothing of it was lost or put elsewhere."""
    network = load_published_weights(NETWORKS[name].build(), MODELS / f"{name}.onnx", pictures(name, 2)).eval()
    picture = pictures(name, 3)[2][:1]
    with torch.no_grad():
        answer = network(picture)
    ours = answer if isinstance(answer, tuple) else (answer,)
    for mine, theirs in zip(ours, opencvs_answers(name, picture), strict=True):
        assert np.abs(mine.numpy() - theirs).max() < 1e-3 * max(1.0, np.abs(theirs).max())


def test_a_teacher_says_what_its_file_does() -> None:
    """Of every picture by itself."""
    shown = pictures("dice_finder", 1)[0]
    network = load_published_weights(NETWORKS["dice_finder"].build(), MODELS / "dice_finder.onnx", [shown]).eval()
    with torch.no_grad():
        expected = network(shown).numpy()
    assert PublishedTeacher(MODELS / "dice_finder.onnx", "maps")(shown).numpy() == pytest.approx(expected, abs=1e-3)


def test_what_it_normalises_by_is_what_it_sees() -> None:
    """In training a batch is normalised by its own mean and spread: over like pictures that changes little."""
    shown = pictures("dice_finder", 6)
    network = load_published_weights(NETWORKS["dice_finder"].build(), MODELS / "dice_finder.onnx", shown)
    with torch.no_grad():
        still, learning = network.eval()(shown[0]), network.train()(shown[0])
    assert float((still - learning).abs().mean()) < 0.1 * float(still.abs().mean())


def test_what_only_training_asks_for_starts_at_nothing() -> None:
    """The masks of the dice network are in no file: random ones would pull at weights that are good."""
    network = load_published_weights(NETWORKS["dice"].build(), MODELS / "dice.onnx", pictures("dice", 1))
    assert float(network.masks.weight.detach().abs().max()) == 0
    assert float(network.answers.weight.detach().abs().max()) > 0


def test_masks_learn_before_all_else() -> None:
    """They come near what is asked for, and nothing else of the network moves."""
    chance = torch.Generator().manual_seed(3)
    windows = torch.randn(4, *NETWORKS["dice_quick"].input_shape, generator=chance)
    cells = torch.zeros(4, 2, MASK_CELLS, MASK_CELLS)
    cells[:, :, 5:12, 5:12] = (windows[:, :1, 20:48:4, 20:48:4] > 0).float()
    batch = (windows, torch.zeros(4), torch.zeros(4), torch.zeros(4), cells)
    network = load_published_weights(NETWORKS["dice_quick"].build(), MODELS / "dice_quick.onnx", [windows])
    before = {name: weight.clone() for name, weight in network.state_dict().items()}
    with torch.no_grad():
        nothing = float(mask_loss(network.masks(network.eval().to_4(windows)), cells))
        with torch.enable_grad():
            pretrain_masks(network, [batch])
        learned = float(mask_loss(network.masks(network.eval().to_4(windows)), cells))
    assert learned < 0.7 * nothing
    moved = {name for name, weight in network.state_dict().items() if not torch.equal(weight, before[name])}
    assert moved == {"masks.weight", "masks.bias"}


@pytest.mark.parametrize(
    ("made", "read"),
    [(made, read) for made, read in pairwise(NAMES) if NETWORKS[made].build is not NETWORKS[read].build],
)
def test_the_file_of_another_network_is_refused(made: str, read: str) -> None:
    """With the file's name and what to do."""
    with pytest.raises(ValueError, match=rf"{read}\.onnx holds weights of another architecture"):
        load_published_weights(NETWORKS[made].build(), MODELS / f"{read}.onnx", pictures(made, 1))


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
@pytest.mark.filterwarnings("ignore")
def test_part_of_the_way(tmp_path: Path, share: float) -> None:
    """Each weight lies between, and OpenCV reads the file; the last layer, which nothing normalises, shows it."""
    kind = NETWORKS["dice_finder"]
    network = load_published_weights(kind.build(), MODELS / "dice_finder.onnx", pictures("dice_finder", 1))
    with torch.no_grad():
        network.maps.weight.mul_(1.5)
    export(network.eval(), kind, tmp_path / "new.onnx")
    between = interpolate_weights(MODELS / "dice_finder.onnx", tmp_path / "new.onnx", share)
    old, new = (onnx.load(str(file)) for file in (MODELS / "dice_finder.onnx", tmp_path / "new.onnx"))
    one, other, found = (
        next(onnx.numpy_helper.to_array(each) for each in model.graph.initializer if each.name == "maps.weight")
        for model in (old, new, between)
    )
    assert np.abs(found - ((1 - share) * one + share * other)).max() < 1e-6
    onnx.save(between, str(tmp_path / "between.onnx"))
    assert cv2.dnn.readNetFromONNX(str(tmp_path / "between.onnx")).getUnconnectedOutLayersNames()


def test_there_is_no_way_between_two_kinds() -> None:
    """With what to do instead."""
    with pytest.raises(ValueError, match="export the new network whole"):
        interpolate_weights(MODELS / "small.onnx", MODELS / "dice.onnx", 0.5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_once_more_exported_it_is_the_same_file(tmp_path: Path) -> None:
    """Folding and unfolding lose nothing but rounding."""
    kind = NETWORKS["dice_finder"]
    network = load_published_weights(kind.build(), MODELS / "dice_finder.onnx", pictures("dice_finder", 2))
    export(network.eval(), kind, tmp_path / "again.onnx")
    picture = pictures("dice_finder", 3)[2][:1]
    reader = cv2.dnn.readNetFromONNX(str(tmp_path / "again.onnx"))
    reader.setInput(picture.numpy())
    assert np.abs(reader.forward("maps") - opencvs_answers("dice_finder", picture)[0]).max() < 1e-3
