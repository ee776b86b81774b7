"""The two kinds of network for boards, small enough for one slow core: checkers, and lines with corners.

They use only operations that OpenCV 4.11 to 5.x runs alike: convolution, ReLU, clipping, sigmoid, multiplication, pooling,
concatenation, nearest-neighbour resizing. There is no broadcast addition: OpenCV 5.0 fuses it into the preceding
convolution and then refuses the shapes. So the global context is a factor (squeeze and excitation, Hu et al. 2018), not
a term.
"""

import torch
from torch import Tensor, nn

from vision.checkers import CLASSES, COUNTS
from vision.geometry.top_view import MARGIN_PX
from vision.training.pretrained_layers import EfficientNetLayers

STRIDE = 16
CELLS_A_POINT = 2
CELLS_A_HALF = 11


def convolution(inputs: int, outputs: int, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two convolutions with a skip connection (He et al. 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = convolution(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


def downsample_by_8(a: int, b: int, c: int) -> nn.Sequential:
    """A picture of three planes to `c` channels at an eighth of its size."""
    return nn.Sequential(
        convolution(3, a, stride=2), convolution(a, b, stride=2), Residual(b), convolution(b, c, stride=2), Residual(c)
    )


class SqueezeExcitation(nn.Module):
    """Scales each channel by a factor of the whole picture: only the whole shows which side is the lighter one."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.factor = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, channels, 1), nn.ReLU(), nn.Conv2d(channels, channels, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        return x * (2 * torch.sigmoid(self.factor(x)))


class CheckerNetwork(nn.Module):
    """The top view (n, 3, 416, 496) to three maps of logits and the features of the points.

    `points` (n, 32, 2, 12): rows T and B, columns 1 to 12; 31 classes of content and, last, whether the place is
    visible. `bar` (n, 33, 1, 1): 16 counts of light, 16 of dark, visible. `tops` (n, 3, 52, 62): whether an upper face
    has its middle in this cell of 8 pixels, and its position in the cell (x, y from 0 to 1). `features` (n, 96, 2, 12):
    what the last layer of `points` reads, from which the appearance of one board is learned. The first layers are our own
    or, with `pretrained`, those of EfficientNet-Lite0.
    """

    def __init__(
        self, widths: tuple[int, int, int, int] = (16, 24, 48, 80), head: int = 96, *, pretrained: bool = False
    ) -> None:
        super().__init__()
        at_2, at_4, at_8, at_16 = widths
        self.to_8 = EfficientNetLayers(at_8) if pretrained else downsample_by_8(at_2, at_4, at_8)
        self.to_16 = nn.Sequential(
            convolution(at_8, at_16, stride=2),
            SqueezeExcitation(at_16),
            Residual(at_16),
            SqueezeExcitation(at_16),
            Residual(at_16),
        )
        self.tops = nn.Conv2d(at_8, 3, 1)
        self.narrow = nn.Sequential(
            nn.Conv2d(at_16, at_16 // 2, 1, bias=False), nn.BatchNorm2d(at_16 // 2), nn.ReLU(inplace=True)
        )
        # One kernel serves both rows, flipped for the lower one: a point is the same from either rim.
        self.point = nn.Conv2d(at_16 // 2, head, (CELLS_A_HALF, CELLS_A_POINT), CELLS_A_POINT)
        self.register_buffer("upside_down", None, persistent=False)
        self.point_classes = nn.Conv2d(head, CLASSES + 1, 1)
        self.bar = nn.Sequential(nn.Conv2d(at_16, 64, (1, 3)), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.bar_classes = nn.Conv2d(64, 2 * COUNTS + 1, 1)

    def freeze(self) -> None:
        """Turns the flipped kernel into a constant for the export, because OpenCV 4 cannot flip it."""
        self.upside_down = torch.flip(self.point.weight.detach(), (2,))

    def forward(self, view: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        at_8 = self.to_8(view)
        at_16 = self.to_16(at_8)
        first = MARGIN_PX // STRIDE
        middle, last = first + CELLS_A_HALF, first + 2 * CELLS_A_HALF
        half = 6 * CELLS_A_POINT
        narrow = self.narrow(at_16)
        left, right = narrow[..., first : first + half], narrow[..., first + half + 3 : first + 2 * half + 3]
        columns = torch.cat([left, right], dim=3)
        weight, bias = self.point.weight, self.point.bias
        step = (CELLS_A_HALF, CELLS_A_POINT)
        top = nn.functional.conv2d(columns[:, :, first:middle], weight, bias, stride=step)
        below = torch.flip(weight, (2,)) if self.upside_down is None else self.upside_down
        bottom = nn.functional.conv2d(columns[:, :, middle:last], below, bias, stride=step)
        features = torch.relu(torch.cat([top, bottom], dim=2))
        points = self.point_classes(features)
        bar = self.bar_classes(self.bar(at_16[..., first + half : first + half + 3]) * at_16.shape[2])
        return points, bar, self.tops(at_8), features


class LineNetwork(nn.Module):
    """A picture (n, 3, h, w), h and w multiples of 32, to maps of logits (n, outputs, h / 4, w / 4)."""

    def __init__(self, outputs: int, widths: tuple[int, int, int, int, int] = (12, 20, 32, 48, 64)) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.to_4 = nn.Sequential(convolution(3, a, stride=2), convolution(a, b, stride=2), Residual(b))
        self.to_8 = nn.Sequential(convolution(b, c, stride=2), Residual(c))
        self.to_16 = nn.Sequential(convolution(c, d, stride=2), Residual(d))
        self.to_32 = nn.Sequential(
            convolution(d, e, stride=2), SqueezeExcitation(e), Residual(e), SqueezeExcitation(e), Residual(e)
        )
        self.from_32 = convolution(e, d)
        self.from_16 = convolution(d + d, c)
        self.from_8 = convolution(c + c, b)
        self.last = nn.Sequential(convolution(b + b, b), nn.Conv2d(b, outputs, 1))
        self.enlarge = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, picture: Tensor) -> Tensor:
        at_4 = self.to_4(picture)
        at_8 = self.to_8(at_4)
        at_16 = self.to_16(at_8)
        x = self.enlarge(self.from_32(self.to_32(at_16)))
        x = self.enlarge(self.from_16(torch.cat([x, at_16], dim=1)))
        x = self.enlarge(self.from_8(torch.cat([x, at_8], dim=1)))
        logits: Tensor = self.last(torch.cat([x, at_4], dim=1))
        return logits
