"""Fine-tuning, distillation and interpolation from published files; needs the training extra."""

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
def test_loaded_weights_give_the_outputs_of_the_file(name: str) -> None:
    network = load_published_weights(NETWORKS[name].build(), MODELS / f"{name}.onnx", pictures(name, 2)).eval()
    picture = pictures(name, 3)[2][:1]
    with torch.no_grad():
        answer = network(picture)
    ours = answer if isinstance(answer, tuple) else (answer,)
    for mine, theirs in zip(ours, opencvs_answers(name, picture), strict=True):
        assert np.abs(mine.numpy() - theirs).max() < 1e-3 * max(1.0, np.abs(theirs).max())


def test_a_teacher_gives_the_outputs_of_its_file() -> None:
    shown = pictures("dice_finder", 1)[0]
    network = load_published_weights(NETWORKS["dice_finder"].build(), MODELS / "dice_finder.onnx", [shown]).eval()
    with torch.no_grad():
        expected = network(shown).numpy()
    assert PublishedTeacher(MODELS / "dice_finder.onnx", "maps")(shown).numpy() == pytest.approx(expected, abs=1e-3)


def test_unfolded_normalisations_have_the_statistics_of_the_pictures() -> None:
    """Normalising by a similar batch instead of the stored statistics changes little."""
    shown = pictures("dice_finder", 6)
    network = load_published_weights(NETWORKS["dice_finder"].build(), MODELS / "dice_finder.onnx", shown)
    with torch.no_grad():
        still, learning = network.eval()(shown[0]), network.train()(shown[0])
    assert float((still - learning).abs().mean()) < 0.1 * float(still.abs().mean())


def test_layers_for_training_only_start_at_zero() -> None:
    """No file has the masks of the dice network: random ones would disturb good weights."""
    network = load_published_weights(NETWORKS["dice"].build(), MODELS / "dice.onnx", pictures("dice", 1))
    assert float(network.masks.weight.detach().abs().max()) == 0
    assert float(network.answers.weight.detach().abs().max()) > 0


def test_masks_are_trained_alone_first() -> None:
    """They approach the labels, and no other weight moves."""
    chance = torch.Generator().manual_seed(3)
    windows = torch.randn(4, *NETWORKS["dice"].input_shape, generator=chance)
    cells = torch.zeros(4, 2, MASK_CELLS, MASK_CELLS)
    cells[:, :, 5:12, 5:12] = (windows[:, :1, 20:48:4, 20:48:4] > 0).float()
    batch = (windows, torch.zeros(4), torch.zeros(4), torch.zeros(4), cells)
    network = load_published_weights(NETWORKS["dice"].build(), MODELS / "dice.onnx", [windows])
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
    with pytest.raises(ValueError, match=rf"{read}\.onnx holds weights of another architecture"):
        load_published_weights(NETWORKS[made].build(), MODELS / f"{read}.onnx", pictures(made, 1))


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
@pytest.mark.filterwarnings("ignore")
def test_interpolated_weights_lie_between_both_files(tmp_path: Path, share: float) -> None:
    """OpenCV reads the file."""
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


def test_different_architectures_cannot_be_interpolated() -> None:
    with pytest.raises(ValueError, match="export the new network whole"):
        interpolate_weights(MODELS / "small.onnx", MODELS / "dice.onnx", 0.5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_exporting_published_weights_gives_the_same_network(tmp_path: Path) -> None:
    """Folding and unfolding lose nothing but rounding."""
    kind = NETWORKS["dice_finder"]
    network = load_published_weights(kind.build(), MODELS / "dice_finder.onnx", pictures("dice_finder", 2))
    export(network.eval(), kind, tmp_path / "again.onnx")
    picture = pictures("dice_finder", 3)[2][:1]
    reader = cv2.dnn.readNetFromONNX(str(tmp_path / "again.onnx"))
    reader.setInput(picture.numpy())
    assert np.abs(reader.forward("maps") - opencvs_answers("dice_finder", picture)[0]).max() < 1e-3
