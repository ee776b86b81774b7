"""The networks for dice and their losses; needs the training extra."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="install the extra: pip install -e '.[training]'")

from vision.dice.classifier import CLASS, FACE, LIE, NORMAL, OUTPUT_SIZE, TOP, ObjectClass
from vision.dice.cube_number import CUBE_VALUES
from vision.dice.proposals import CHECK_OUTPUT_SIZE, CHECK_PX, DIE_MAP
from vision.dice.windows import PLANES, WINDOW_PX
from vision.training.dice_networks import DiceProposalNetwork, DieNetwork, ProposalFilterNetwork
from vision.training.dice_objectives import cube_number_loss, dice_proposal_loss, die_loss, proposal_filter_loss
from vision.training.samples.dice_samples import MASK_CELLS

FLAT_FIVE = (1, 4, 0)


def batch_of(*classes: tuple[int, int, int], shape: float = float("nan")) -> list[object]:
    count = len(classes)
    return [
        torch.zeros(count, 1),
        torch.tensor(classes),
        torch.full((count,), float("nan")),
        torch.full((count, 7), shape),
        torch.full((count, 2, MASK_CELLS, MASK_CELLS), float("nan")),
    ]


def says(numbers: object) -> object:
    """A network with these outputs and empty masks."""
    return lambda _: (numbers[..., None, None], torch.zeros(len(numbers), 2, MASK_CELLS, MASK_CELLS))  # type: ignore[arg-type,index]


def test_output_shapes_fit_the_reader() -> None:
    with torch.inference_mode():
        answers = DieNetwork().eval()(torch.zeros(2, PLANES, WINDOW_PX, WINDOW_PX))
        painted = DieNetwork()(torch.zeros(2, PLANES, WINDOW_PX, WINDOW_PX))[1]
        maps = DiceProposalNetwork().eval()(torch.zeros(1, 3, 64, 96))
    assert painted.shape == (2, 2, MASK_CELLS, MASK_CELLS)
    assert answers.shape == (2, OUTPUT_SIZE, 1, 1)
    assert maps.shape == (1, 5, 8, 12)


def test_output_shapes_of_the_filter() -> None:
    with torch.inference_mode():
        glanced = ProposalFilterNetwork().eval()(torch.zeros(2, 3, CHECK_PX, CHECK_PX))
    assert glanced.shape == (2, CHECK_OUTPUT_SIZE, 1, 1)


def test_the_filter_loss_counts_labelled_outputs() -> None:
    """The right output costs least; an empty place has a loss for its class only."""
    right = torch.tensor([[0.0, 12.0, 0.0, 0.25, -0.1, 0.4]])
    label = [torch.zeros(1), torch.tensor([1]), torch.tensor([[0.25, -0.1, 0.4]])]
    costs = {name: float(loss) for name, loss in proposal_filter_loss(lambda _: right, label).items()}
    assert max(costs.values()) < 1e-3
    for index, name in ((1, "kind"), (3, "places"), (5, "size")):
        other = right.clone()
        other[0, index] -= 12.0
        assert float(proposal_filter_loss(lambda _, other=other: other, label)[name]) > 0.5
    empty = [torch.zeros(1), torch.tensor([0]), torch.full((1, 3), float("nan"))]
    costs = {name: float(loss) for name, loss in proposal_filter_loss(lambda _: right, empty).items()}
    assert costs["kind"] > 5
    assert costs["places"] == costs["size"] == 0


def test_missing_labels_cost_nothing() -> None:
    said = torch.randn(1, OUTPUT_SIZE, generator=torch.Generator().manual_seed(1))
    losses = die_loss(says(said), batch_of((0, -1, -1)))
    assert float(losses["kind"]) > 0
    others = {name: float(loss) for name, loss in losses.items() if name not in ("kind", "tilt")}
    assert others == dict.fromkeys(("face", "lie", "places", "size", "checker", "masks"), 0.0)


def test_the_labelled_classes_cost_least() -> None:
    said = torch.zeros(1, OUTPUT_SIZE)
    for part, index in ((CLASS, 1), (FACE, 4), (LIE, 0)):
        said[0, part.start + index] = 12.0
    right = die_loss(says(said), batch_of(FLAT_FIVE))
    for name, part, wrong in (("kind", CLASS, 0), ("face", FACE, 3), ("lie", LIE, 1)):
        other = said.clone()
        other[0, part] = 0.0
        other[0, part.start + wrong] = 12.0
        assert float(die_loss(says(other), batch_of(FLAT_FIVE))[name]) > float(right[name]) + 5


def test_the_right_number_of_the_cube_costs_least() -> None:
    costs = []
    for logit in (12.0, 0.0, -12.0):
        said = torch.zeros(1, len(CUBE_VALUES), 1, 1)
        said[0, 3] = logit
        costs.append(float(cube_number_loss(lambda _, said=said: said, [torch.zeros(1), torch.tensor([3])])["number"]))
    assert costs[0] < 0.1 < costs[1] < costs[2]


def test_the_tilt_loss_falls_towards_the_label() -> None:
    costs = []
    for said_x in (0.0, 0.2, 0.4):
        said = torch.zeros(1, OUTPUT_SIZE)
        said[0, NORMAL.start] = said_x
        batch = batch_of(FLAT_FIVE)
        batch[3] = torch.tensor([[0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
        costs.append(float(die_loss(says(said), batch)["tilt"]))
    assert costs == sorted(costs, reverse=True)


def test_the_proposal_loss_counts_cell_by_cell() -> None:
    """Cells without weight cost nothing."""
    wanted = torch.zeros(1, 6, 4, 4)
    wanted[0, 5] = 1
    wanted[0, DIE_MAP, 1, 2] = 1
    wanted[0, 5, 1, 1] = 0
    costs = {}
    for name, cell in (("there", (1, 2)), ("beside", (1, 1)), ("elsewhere", (3, 0)), ("nowhere", None)):
        maps = torch.full((1, 5, 4, 4), -9.0)
        if cell is not None:
            maps[0, DIE_MAP, cell[0], cell[1]] = 9.0
        losses = dice_proposal_loss(lambda _, maps=maps: maps, [torch.zeros(1), wanted])
        costs[name] = float(losses["here"])
        assert float(losses["cube"]) < 1e-3
    assert costs["there"] < 1e-2 < costs["nowhere"] == pytest.approx(costs["beside"], rel=1e-3)
    assert costs["elsewhere"] > costs["nowhere"] + 5
    assert np.isfinite(list(costs.values())).all()


def test_proposals_are_distilled_where_an_object_may_be() -> None:
    """The same output costs nothing, nor does a surer absence; every other difference costs."""
    targets = torch.full((1, 5, 4, 4), -8.0)
    targets[0, :, 1, 2] = torch.tensor([3.0, -8.0, 0.4, -0.2, 0.1])
    wanted = torch.zeros(1, 6, 4, 4)

    def cost(maps: object) -> float:
        return float(dice_proposal_loss(lambda _: maps, [torch.zeros(1), wanted], lambda _: targets)["distillation"])

    surer, no_die, a_cube, larger = targets.clone(), targets.clone(), targets.clone(), targets.clone()
    surer[0, DIE_MAP, 0, 0] = -20.0
    surer[0, 4, 0, 0] = 1.0  # of nothing no size is asked
    no_die[0, DIE_MAP, 1, 2] = -8.0
    a_cube[0, 1, 3, 3] = 2.0
    larger[0, 4, 1, 2] = 0.5
    assert cost(targets) == cost(surer) == 0
    assert min(cost(no_die), cost(a_cube), cost(larger)) > 0.05
    assert "distillation" not in dice_proposal_loss(lambda _: targets, [torch.zeros(1), wanted])


def test_die_outputs_are_distilled_where_an_object_is() -> None:
    """Another class, face, lie or place than the teacher's costs, except in windows without an object."""
    targets = torch.zeros(1, OUTPUT_SIZE)
    for part, index in ((CLASS, 1), (FACE, 4), (LIE, 0)):
        targets[0, part.start + index] = 9.0
    targets[0, TOP.start] = 0.2

    def cost(said: object, batch: list[object]) -> float:
        return float(die_loss(says(said), batch, lambda _: targets)["distillation"])

    others = [targets.clone() for _ in range(4)]
    for other, part in zip(others, (CLASS, FACE, LIE, TOP), strict=True):
        other[0, part] = other[0, part].roll(1) + 0.3
    a_die, nothing = batch_of(FLAT_FIVE), batch_of((ObjectClass.NOTHING.value, -1, -1))
    assert cost(targets, a_die) == pytest.approx(0, abs=1e-6)
    assert min(cost(other, a_die) for other in others) > 0.05
    assert [cost(other, nothing) for other in others] == [0, 0, 0, 0]
    assert "distillation" not in die_loss(says(targets), a_die)


def test_filter_outputs_are_distilled_alike() -> None:
    targets = torch.tensor([[-9.0, 9.0, -9.0, 0.1, 0.2, 0.3]])

    def cost(said: object, kind: int) -> float:
        batch = [torch.zeros(1), torch.tensor([kind]), torch.zeros(1, 3)]
        return float(proposal_filter_loss(lambda _: said, batch, lambda _: targets)["distillation"])

    others = [targets.clone() for _ in range(3)]
    others[0][0, :3] = torch.tensor([9.0, -9.0, -9.0])
    others[1][0, 3] = 0.5
    others[2][0, 5] = -0.2
    assert cost(targets, ObjectClass.DIE.value) == pytest.approx(0, abs=1e-6)
    assert min(cost(other, ObjectClass.DIE.value) for other in others) > 0.05
    assert [cost(other, ObjectClass.NOTHING.value) for other in others] == [0, 0, 0]
