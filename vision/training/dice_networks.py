"""The networks that read dice and the doubling cube: proposals, proposal filter, classifier, cube number.

They use the same few operations as `networks.py`, for the same reason.
"""

import torch
from torch import Tensor, nn

from vision.dice.classifier import OUTPUT_SIZE
from vision.dice.cube_number import CUBE_VALUES
from vision.dice.proposals import CHECK_OUTPUT_SIZE, CHECK_PX
from vision.dice.windows import BOARD_PLANES, PLANES, WINDOW_PX
from vision.training.networks import Residual, convolution, downsample_by_8


class DiceProposalNetwork(nn.Module):
    """A picture (n, 3, h, w), h and w multiples of 8, to the maps (n, 5, h / 8, w / 8) of `dice.proposals`."""

    def __init__(self, widths: tuple[int, int, int] = (8, 24, 24)) -> None:
        super().__init__()
        a, b, c = widths
        # The layers at full size cost most, so they are depthwise separable: three fifths of the time of full
        # convolutions.
        self.body = nn.Sequential(
            _mix_channels(3, a, 2, stride=2), _halve(a, b), _halve(b, c), Residual(c), Residual(c)
        )
        self.maps = nn.Conv2d(c, 5, 1)

    def forward(self, picture: Tensor) -> Tensor:
        maps: Tensor = self.maps(self.body(picture))
        return maps


class ProposalFilterNetwork(nn.Module):
    """Windows (n, 3, CHECK_PX, CHECK_PX) to (n, CHECK_OUTPUT_SIZE, 1, 1), decoded by `dice.proposals`."""

    def __init__(self, widths: tuple[int, int] = (16, 32), narrow: int = 16, head: int = 48) -> None:
        super().__init__()
        a, b = widths
        self.to_4 = nn.Sequential(convolution(3, a, stride=2), convolution(a, b, stride=2), Residual(b))
        self.whole = nn.Sequential(_mix_channels(b, narrow), _mix_channels(narrow, head, CHECK_PX // 4))
        self.answers = nn.Conv2d(head, CHECK_OUTPUT_SIZE, 1)

    def forward(self, windows: Tensor) -> Tensor:
        answers: Tensor = self.answers(self.whole(self.to_4(windows)))
        return answers


class DieNetwork(nn.Module):
    """Windows (n, PLANES, WINDOW_PX, WINDOW_PX) to (n, OUTPUT_SIZE, 1, 1), decoded by `dice.classifier`.

    The planes of the known board enter twice: with the picture, and beside the last layer, where the base follows from
    the top by a product. In training mode the network also paints masks (n, 2, MASK_CELLS, MASK_CELLS) of the upper
    face and the whole body: an auxiliary task without which it hardly learns whether a die leans.
    """

    def __init__(
        self,
        widths: tuple[int, int, int] = (16, 32, 64),
        depths: tuple[int, int, int] = (1, 2, 4),
        narrow: int = 32,
        head: int = 128,
    ) -> None:
        super().__init__()
        a, b, c = widths
        at_2, at_4, at_8 = (
            [Residual(width) for _ in range(depth)] for width, depth in zip(widths, depths, strict=True)
        )
        self.to_4 = nn.Sequential(convolution(PLANES, a, stride=2), *at_2, convolution(a, b, stride=2), Residual(b))
        self.masks = nn.Conv2d(b, 2, 1)
        # The lean of a die shows in details of a few pixels, so most of the depth is here, where a cell is a sixth of a
        # die.
        self.at_4 = nn.Sequential(*at_4)
        self.to_8 = nn.Sequential(convolution(b, c, stride=2), *at_8, _mix_channels(c, narrow))
        # This layer needs its normalisation: without it faces and tilts are learned ten times more slowly.
        self.whole = _mix_channels(narrow, head, WINDOW_PX // 8)
        self.with_knowledge = _mix_channels(head + BOARD_PLANES.stop - BOARD_PLANES.start, 96)
        self.answers = nn.Conv2d(96, OUTPUT_SIZE, 1)

    def forward(self, windows: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        middle = slice(WINDOW_PX // 2, WINDOW_PX // 2 + 1)
        known = windows[:, BOARD_PLANES, middle, middle]
        at_4 = self.to_4(windows)
        whole = self.whole(self.to_8(self.at_4(at_4)))
        answers: Tensor = self.answers(self.with_knowledge(torch.cat([whole, known], dim=1)))
        return (answers, self.masks(at_4)) if self.training else answers


class CubeNumberNetwork(nn.Module):
    """Windows (n, 3, WINDOW_PX, WINDOW_PX) to (n, 6, 1, 1), logits of cube_number.CUBE_VALUES."""

    def __init__(self, widths: tuple[int, int, int] = (16, 32, 48), narrow: int = 24, head: int = 64) -> None:
        super().__init__()
        self.to_8 = downsample_by_8(*widths)
        self.whole = nn.Sequential(_mix_channels(widths[-1], narrow), _mix_channels(narrow, head, WINDOW_PX // 8))
        self.answers = nn.Conv2d(head, len(CUBE_VALUES), 1)

    def forward(self, windows: Tensor) -> Tensor:
        answers: Tensor = self.answers(self.whole(self.to_8(windows)))
        return answers


def _mix_channels(inputs: int, outputs: int, size: int = 1, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


def _halve(inputs: int, outputs: int) -> nn.Sequential:
    """Depthwise separable convolution with stride 2 (Howard et al. 2017, MobileNets)."""
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, 2, 1, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs),
        nn.ReLU(inplace=True),
        *_mix_channels(inputs, outputs),
    )
