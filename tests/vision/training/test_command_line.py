"""What the training's command line is asked for; needs the training extra."""

import pytest

pytest.importorskip("torch", reason="install the extra: pip install -e '.[training]'")
pytest.importorskip("onnx", reason="install the extra: pip install -e '.[training]'")

from vision.training.command_line import main


def test_only_the_search_is_taught(capsys: pytest.CaptureFixture[str]) -> None:
    """By what the published file says; any other step would leave that out without a word."""
    with pytest.raises(SystemExit) as ended:
        main(["dice_glance", "--taught", "--work", "somewhere"])
    assert ended.value.code == 2
    assert "--taught is for dice_finder" in capsys.readouterr().err
