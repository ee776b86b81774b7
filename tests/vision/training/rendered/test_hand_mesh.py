import numpy as np
import pytest

from tests.vision.training.rendered.test_meshes import agreement
from vision.training.rendered.layout.hand import HandGesture


@pytest.mark.slow
@pytest.mark.parametrize("pose", HandGesture)
def test_a_hand_has_skin_and_sleeve(pose: HandGesture) -> None:
    """The fingertips are near the origin, the sleeve ends far behind, and both are seen from outside."""
    pytest.importorskip("skimage", reason="the renderer has an environment of its own; see vision/training/README.md")
    from vision.training.rendered.tracing.hand_mesh import build_hand_mesh

    skin, sleeve = build_hand_mesh(np.random.default_rng(1), pose)
    assert -15 < skin.corners[:, 0].max() < 40
    assert sleeve.corners[:, 0].min() == -900
    assert agreement(skin) > 0.98
    assert agreement(sleeve) > 0.98
