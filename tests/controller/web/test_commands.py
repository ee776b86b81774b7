"""The page of `demo`, `play` and `replay`: its options, its addresses, its end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from controller.cli import main
from tests.controller.formats.match_samples import SAMPLES

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]


def usage_error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("command", ["demo", "play"])
def test_a_wrong_address_is_a_usage_error(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence says how an address is written."""
    sentence = usage_error(capsys, command, "--web", "a:b:c")
    assert sentence == "zarbiter: --web: 'a:b:c' is no address; write HOST:PORT, as 0.0.0.0:8080\n"


@pytest.mark.parametrize("command", ["demo", "play"])
def test_no_page_cannot_stay(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The options exclude each other."""
    sentence = usage_error(capsys, command, "--web", "none", "--stay")
    assert sentence == "zarbiter: --stay keeps the page, and --web none is without one; leave one of them out\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--web", "0"), "--web goes with --page; add that, or leave it out"),
        (("--headless",), "--headless goes with --page; add that, or leave it out"),
        (("--page", "--all"), "--page goes with neither --all nor --table; leave out one of them"),
        (("--page", "--table"), "--page goes with neither --all nor --table; leave out one of them"),
        (("--page", "--web", "none"), "--page shows a page, and --web none is without one; leave one of them out"),
        (("--page", "--web", "a:b:c"), "--web: 'a:b:c' is no address; write HOST:PORT, as 0.0.0.0:8080"),
        (("--page", "--at", "92"), "--at: there is no turn 92 in this match; zarbiter log show lists them"),
    ],
)
def test_options_of_a_replay_that_exclude_each_other(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are a usage error, and nothing is opened."""
    assert usage_error(capsys, "replay", str(SAMPLES / "g2_std_5pt.mat"), *arguments) == f"zarbiter: {sentence}\n"


def test_settings_of_the_page_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mistakes are reported with their line."""
    file = tmp_path / "club.toml"
    file.write_text('[web]\nhost = "my house"\nport = 0\n')
    sentence = usage_error(capsys, "play", "--config", str(file))
    assert f"{file}, line 2, web.host: 'my house' is no address; write 127.0.0.1 for this machine only" in sentence
    assert f"{file}, line 3, web.port: 0 is not possible; give 1 to 65535" in sentence


@contextmanager
def demo_process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "controller", "demo", "--game", "hypergammon", "--headless", "--web", "0"]
    with subprocess.Popen(
        [*command, *arguments], cwd=ROOT, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def links_of(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The spectators' link and the token."""
    assert process.stdout is not None
    line = next(line for line in process.stdout if line.startswith("Page: "))
    link, _, token = line.removeprefix("Page: ").strip().partition("#operator=")
    return link, token


@pytest.mark.slow
def test_the_page_of_a_running_demo() -> None:
    """It serves state and camera and takes orders; Ctrl-C ends the process within seconds, without a traceback."""
    with demo_process("--speed", "1") as process:
        link, token = links_of(process)
        seen = json.loads(urlopen(f"{link}api/state", timeout=60).read())  # noqa: S310 - our own link
        assert seen["state"]["match"]["game"] == "hypergammon"
        with urlopen(f"{link}api/camera", timeout=60) as stream:  # noqa: S310
            assert stream.readline() == b"--frame\r\n"
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        order = Request(f"{link}api/commands", b'{"command": "CallDispute"}', headers)  # noqa: S310
        assert urlopen(order, timeout=60).status == 202  # noqa: S310
        assert process.stdout is not None
        assert any(line.startswith("Dispute: ") for line in process.stdout)
        began_s = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "Traceback" not in complaints
        assert time.monotonic() - began_s < 10
