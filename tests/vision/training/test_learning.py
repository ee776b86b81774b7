"""Networks, losses, the loop and the export; needs the training extra."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="install the extra: pip install -e '.[training]'")

from vision.field.network_inputs import EDGE_HEIGHT_PX, EDGE_WIDTH_PX, SMALL_HEIGHT_PX, SMALL_WIDTH_PX
from vision.geometry.top_view import VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.training import learning
from vision.training.all_networks import NETWORKS
from vision.training.export import export
from vision.training.learning import Learner, Samples, Schedule, train
from vision.training.networks import CheckerNetwork, LineNetwork
from vision.training.objectives import checker_loss, edge_loss


def always(*answers: object) -> Callable[[object], object]:
    """A network with constant outputs."""
    return lambda _: answers if len(answers) > 1 else answers[0]


def test_the_shapes_are_those_of_the_views() -> None:
    with torch.inference_mode():
        points, bar, tops, _ = CheckerNetwork()(torch.zeros(1, 3, VIEW_HEIGHT_PX, VIEW_WIDTH_PX))
        maps = LineNetwork(4)(torch.zeros(1, 3, SMALL_HEIGHT_PX, SMALL_WIDTH_PX))
    assert (points.shape, bar.shape, tops.shape) == ((1, 32, 2, 12), (1, 33, 1, 1), (1, 3, 52, 62))
    assert maps.shape == (1, 4, SMALL_HEIGHT_PX // 4, SMALL_WIDTH_PX // 4)


def test_right_answers_cost_nothing_and_wrong_ones_much() -> None:
    """Places without a label cost nothing."""
    classes = torch.full((1, 2, 12), -1)
    classes[0, 0, 0] = 17
    points = torch.zeros(1, 32, 2, 12)
    points[0, 17, 0, 0] = 20.0
    batch = [torch.zeros(1), classes, torch.ones(1, 2, 12), torch.tensor([[0, 0]]), torch.zeros(1, 4, 52, 62)]
    bar, tops = torch.zeros(1, 33, 1, 1), torch.zeros(1, 3, 52, 62)
    assert float(checker_loss(always(points, bar, tops, None), batch)["place"]) == pytest.approx(0, abs=1e-4)
    points[0, 5, 0, 0], points[0, 17, 0, 0] = 20.0, 0.0
    assert float(checker_loss(always(points, bar, tops, None), batch)["place"]) == pytest.approx(20, abs=0.01)


def test_the_edge_loss_counts_labelled_stations() -> None:
    columns = torch.full((1, 2, EDGE_WIDTH_PX // 4), float("nan"))
    rows = torch.full((1, 4, EDGE_HEIGHT_PX // 4), float("nan"))
    columns[0, 0, 10], columns[0, 1, 10], rows[0, 0, 3], rows[0, 2, 3] = 7.0, 60.0, 11.0, 44.0
    maps = torch.zeros(1, 6, EDGE_HEIGHT_PX // 4, EDGE_WIDTH_PX // 4)
    even = edge_loss(always(maps), [torch.zeros(1), columns, rows])
    maps[0, 0, 7, 10] = 30.0
    peaked = edge_loss(always(maps), [torch.zeros(1), columns, rows])
    assert float(even["top_bottom"]) == pytest.approx(np.log(80), abs=1e-3)
    assert float(peaked["bar"]) == float(even["bar"]) == pytest.approx(np.log(96), abs=1e-3)
    assert float(peaked["top_bottom"]) < 14


def _pictures() -> list[Path]:
    return [Path("a")]


def _one_pixel(picture: Path, rng: np.random.Generator) -> Iterator[Sequence[np.ndarray]]:
    value = rng.random((1, 1, 1), np.float32)
    yield value, 3 * value[0, 0]


def _square(network: object, batch: Sequence[object]) -> dict[str, object]:
    return {"off": ((network(batch[0])[:, 0, 0] - batch[1]) ** 2).mean()}  # type: ignore[operator]


def _in_this_process(samples: Samples, *, batch_size: int, **_workers: object) -> object:
    return torch.utils.data.DataLoader(samples, batch_size=batch_size)


@pytest.fixture
def workers(full_counts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --slow other processes make the samples, as in a training; each loads torch first, for seconds."""
    if not full_counts:
        monkeypatch.setattr(learning, "DataLoader", _in_this_process)
        monkeypatch.setattr(cv2, "setNumThreads", lambda _: None)  # it would hold for all tests that come after


def test_samples_reach_the_workers() -> None:
    """Samples can be pickled for a spawned process."""
    arrived = pickle.loads(pickle.dumps(Samples(_pictures, _one_pixel, 3)))  # noqa: S301
    assert (arrived.pictures, arrived.make, arrived.seed) == (_pictures, _one_pixel, 3)


def test_averages_begin_with_what_was_learned_last() -> None:
    """Later they follow more slowly; integer counts are copied."""
    network = torch.nn.BatchNorm1d(1)
    averaged = Learner(network, Path("nowhere.state"), Schedule(steps=1)).averaged
    values = []
    for step in range(2000):
        with torch.no_grad():
            network.weight.fill_(float(step % 2))
            network.num_batches_tracked.fill_(step)
        averaged.update_parameters(network)
        values.append(float(averaged.module.weight.detach()))
    assert values[0] == 0
    assert values[-2:] == pytest.approx([0.5, 0.5], abs=0.002)
    assert int(averaged.module.num_batches_tracked) == 1999


@pytest.mark.usefixtures("workers")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_stopped_training_resumes(tmp_path: Path) -> None:
    """The state on the disk holds step, weights and optimiser; the loss of an easy task falls."""
    torch.manual_seed(1)
    samples = Samples(_pictures, _one_pixel, 3)
    state = tmp_path / "easy.state"
    train(_learner(state, steps=40), _square, samples)
    assert torch.load(state, weights_only=True)["step"] == 40
    averaged = train(_learner(state, steps=120), _square, samples)
    assert torch.load(state, weights_only=True)["step"] == 120
    assert float(averaged(torch.full((1, 1, 1, 1), 0.5)).detach()) == pytest.approx(1.5, abs=0.2)


def _learner(state: Path, *, steps: int) -> Learner:
    return Learner(torch.nn.Conv2d(1, 1, 1), state, Schedule(steps=steps, batch=8, rate=0.1, warm_up=5))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_opencv_gives_the_outputs_of_the_network(tmp_path: Path) -> None:
    """Exported random weights give OpenCV the same outputs, in less than 3 MB."""
    torch.manual_seed(2)
    for kind in NETWORKS.values():
        export(kind.build().eval(), kind, tmp_path / "network.onnx")
        assert (tmp_path / "network.onnx").stat().st_size < 3_000_000
        assert cv2.dnn.readNetFromONNX(str(tmp_path / "network.onnx")).getUnconnectedOutLayersNames()
