"""`zarbiter service`: the referee as a service of systemd, which starts with the machine and goes on after power returns."""

import argparse
import os
import shutil
import sys
from pathlib import Path
from socket import gethostname

from controller.subcommands.appliance.system_calls import call_program, run_program
from controller.subcommands.match.page import resolve_address
from controller.subcommands.options import CommandFailedError, SubParsers, UsageError, add_command, not_written

UNIT = "zarbiter.service"
_UNITS, _RULES = Path("/etc/systemd/system"), Path("/etc/udev/rules.d")
_AVAHI = Path("/etc/avahi/services")
_ANNOUNCEMENT = "zarbiter.service"  # Avahi's files end so, too
_RULES_FILE = "60-zarbiter.rules"
USER = "zarbiter"
STATE = Path("/var/lib/zarbiter")
_CHECKOUT = Path(__file__).resolve().parents[3]  # where the package lies that is not installed
_GROUPS = ("dialout", "plugdev", "uucp", "video", "render", "gpio", "audio")  # ports, cameras, pins and the voice
_WATCHDOG_S = 60
# The usual USB bridges of a light board: ModemManager would ask each for a modem and reset it.
_BRIDGES = (("1a86", "7523"), ("0403", "6001"), ("10c4", "ea60"), ("2341", "0043"))


def add(commands: SubParsers, summary: str) -> None:
    service = add_command(
        commands,
        "service",
        _service,
        summary,
        "install writes a unit for systemd with a user of its own and starts it: the page waits for a match after every"
        " start of the machine, and a match that a power cut broke off goes on. Needs root; --print shows the files only.",
    )
    service.add_argument("action", metavar="ACTION", help="install, status or remove")
    service.add_argument(
        "--web",
        metavar="HOST:PORT",
        default="127.0.0.1:8080",
        help="where the page listens (default: this machine only)",
    )
    service.add_argument(
        "--print", action="store_true", help="print the files that install would write, and change nothing"
    )


def _service(options: argparse.Namespace) -> bool:
    actions = {"install": _install, "status": _status, "remove": _remove}
    action = actions.get(options.action)
    if action is None:
        raise UsageError(f"there is no action {options.action!r}; give install, status or remove")
    return action(options)


def _install(options: argparse.Namespace) -> bool:
    if options.web == "none":
        raise UsageError("--web: a service is ruled from its page; give HOST:PORT, as 0.0.0.0:8080")
    options.stay = True
    address = resolve_address(options)  # refuses what is no address
    files = make_files(_program(), options.web, [group for group in _GROUPS if _has_group(group)])
    is_announced = _AVAHI.is_dir() and address is not None and not address.is_loopback
    if is_announced and address is not None:
        files = (*files, (_AVAHI / _ANNOUNCEMENT, announce_page(address.port)))
    if options.print:
        for path, text in files:
            print(f"# {path}")
            for line in text.split("\n"):
                print(line)
        return True
    _need_root("install")
    _make_user()
    for path, text in files:
        _write(path, text)
    call_program("udevadm", "control", "--reload")
    call_program("systemctl", "daemon-reload")
    call_program("systemctl", "enable", "--now", UNIT)
    print(f"the service runs; the page is at http://{options.web}, and its token: journalctl -u {UNIT}")
    if is_announced and address is not None:
        print(f"on the network it is called http://{gethostname().partition('.')[0]}.local:{address.port}")
    return True


def _status(options: argparse.Namespace) -> bool:
    if not is_installed():
        print("there is no service; zarbiter service install makes one")
        return False
    done = run_program("systemctl", "is-active", UNIT)
    state = done.stdout.strip() or "unknown"
    print(f"the service is {state}; its messages: journalctl -u {UNIT}")
    return state == "active"


def _remove(options: argparse.Namespace) -> bool:
    _need_root("remove")
    if not is_installed():
        raise CommandFailedError("there is no service here; zarbiter service install makes one")
    call_program("systemctl", "disable", "--now", UNIT)
    for path in (_UNITS / UNIT, _RULES / _RULES_FILE, _AVAHI / _ANNOUNCEMENT):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise CommandFailedError(f"{path} cannot be deleted ({error.strerror}); delete it by hand") from None
    call_program("systemctl", "daemon-reload")
    print(f"the service is removed; matches and calibrations stay in {STATE}")
    return True


def make_files(program: tuple[str, ...], web: str, groups: list[str]) -> tuple[tuple[Path, str], ...]:
    """The unit and the device rules, with their paths. `program` is the command with its first words."""
    call = " ".join((*map(_quote, program), "play", "--go-on", "--headless", f"--data {STATE} --web {web}"))
    is_checkout = len(program) > 1
    in_home = any(Path(program[0]).is_relative_to(home) for home in ("/home", "/root"))
    lines = (
        "[Unit]",
        "Description=Zarbiter, referee of a backgammon board",
        "After=network.target systemd-udev-settle.service",
        "StartLimitIntervalSec=0",
        "",
        "[Service]",
        "Type=notify",
        *([f"WorkingDirectory={_CHECKOUT}"] if is_checkout else []),
        f"ExecStart={call}",
        f"User={USER}",
        f"SupplementaryGroups={' '.join(groups)}",
        f"StateDirectory={STATE.name}",
        "StateDirectoryMode=0700",
        f"Environment=HOME={STATE}",
        "Restart=on-failure",
        "RestartSec=3",
        f"WatchdogSec={_WATCHDOG_S}",
        "KillSignal=SIGTERM",
        "TimeoutStopSec=30",
        "NoNewPrivileges=yes",
        "PrivateTmp=yes",
        "ProtectSystem=strict",
        f"ProtectHome={'read-only' if in_home else 'yes'}",
        "",
        "[Install]",
        "WantedBy=multi-user.target",
        "",
    )
    rules = [
        "# Written by zarbiter service install: a light board is no modem.",
        'ACTION!="add|change|bind", GOTO="light_board_end"',
        'SUBSYSTEM!="usb|tty", GOTO="light_board_end"',
        *(
            f'ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", ENV{{ID_MM_DEVICE_IGNORE}}="1"'
            for vendor, product in _BRIDGES
        ),
        'LABEL="light_board_end"',
        "",
    ]
    unit = "\n".join(line for line in lines if line != "SupplementaryGroups=")
    return (_UNITS / UNIT, unit), (_RULES / _RULES_FILE, "\n".join(rules))


def announce_page(port: int) -> str:
    """A file of Avahi: the page is found by its name in the room's network (mDNS, RFC 6762 and 6763)."""
    return "\n".join(
        (
            '<?xml version="1.0" standalone="no"?>',
            '<!DOCTYPE service-group SYSTEM "avahi-service.dtd">',
            "<!-- Written by zarbiter service install. -->",
            "<service-group>",
            '  <name replace-wildcards="yes">Zarbiter on %h</name>',
            f"  <service><type>_http._tcp</type><port>{port}</port></service>",
            "</service-group>",
            "",
        )
    )


def _program() -> tuple[str, ...]:
    """The installed command, else this Python with the package."""
    installed = shutil.which("zarbiter")
    if installed is not None:
        return (str(Path(installed).resolve()),)
    return sys.executable, "-m", "controller"


def _quote(word: str) -> str:
    """As a unit file wants it: percent signs doubled, and quoted where there are spaces."""
    word = word.replace("%", "%%")
    return f'"{word}"' if " " in word else word


def _has_group(name: str) -> bool:
    import grp

    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def _make_user() -> None:
    import pwd

    try:
        pwd.getpwnam(USER)
    except KeyError:
        call_program("useradd", "--system", "--home-dir", str(STATE), "--shell", "/usr/sbin/nologin", USER)


def _need_root(action: str) -> None:
    if os.geteuid() != 0:
        raise CommandFailedError(f"only root may {action} a service; call it with sudo")
    if shutil.which("systemctl") is None:
        raise CommandFailedError("there is no systemd here; start zarbiter play --go-on by other means")


def _write(path: Path, text: str) -> None:
    from controller.settings import write_atomically

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise not_written(path, error) from None


def is_installed() -> bool:
    return (_UNITS / UNIT).is_file()
