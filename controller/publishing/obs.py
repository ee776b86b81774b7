"""OBS as receiver: its scene follows the match, over obs-websocket 5; the only file that imports websocket-client, the extra `obs`.

OBS greets with its version and a challenge, is told the answer to it, and then answers requests, each with a status. A wrong
answer ends the connection with code 4009. No request but the list of scenes and the change of the scene is made.

websocket-client limits neither the length of a message nor its time, and connects through a proxy of the environment. So it
is given a connection of our own that does.
"""

import base64
import hashlib
import json
import select
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from time import monotonic
from typing import Any, ClassVar

from controller.publishing.connecting import Password, explain_connection_error
from controller.publishing.errors import SendingError, StateRefusedError
from controller.publishing.messages import EventMessage
from controller.web.set_up.program_control import Receiver

MISSING = "websocket-client is not installed, which changing scenes in OBS needs; run pip install 'zarbiter[obs]'"
ANSWER_WITHIN_S = 10.0
"""A knob: from the first packet of a question to the last one of its answer."""
ASK_AGAIN_S = 5.0
"""A knob: how often OBS is asked for a scene that it did not have."""
_MOST_BYTES = 1_000_000  # of an answer: a list of some ten thousand scenes
_PROTOCOL = 1  # of obs-websocket 5
_HELLO, _IDENTIFY, _IDENTIFIED, _REQUEST, _ANSWER = 0, 1, 2, 6, 7
_TEXT, _CLOSE = 1, 8  # frames of RFC 6455
_NO_SUCH_SCENE = (600, 602)  # nothing has this name; it is the name of something else
_WRONG_PASSWORD, _OTHER_PROTOCOL, _SENT_AWAY = 4009, 4010, 4011
_NO_OBS = "does not speak obs-websocket 5; see host and port, and whether OBS is 28 or later"
_WRONG = (
    "refuses the password; write the one of OBS, Tools, WebSocket Server Settings into the file of [obs] password_file"
)


@dataclass(frozen=True, slots=True)
class Obs:
    """Where OBS is and how it lets us in. `password` stays out of every text of this object."""

    host: str
    port: int
    password: Password | None = None

    @property
    def place(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def name(self) -> str:
        return f"OBS at {self.place}"


class ObsSender:
    """Changes the scene of OBS; `scenes` are all that it may be asked for. Raises SendingError."""

    receiver: ClassVar[Receiver] = Receiver.OBS

    def __init__(self, obs: Obs, scenes: Sequence[str]) -> None:
        if find_spec("websocket") is None:
            raise SendingError(MISSING, is_lasting=True)
        self._obs, self._scenes = obs, tuple(dict.fromkeys(scenes))
        self._connection: _Connection | None = None
        self._shown = ""
        self._missing: tuple[str, ...] = ()
        self._ask_again_s = 0.0

    @property
    def name(self) -> str:
        return self._obs.name

    @property
    def place(self) -> str:
        return self._obs.place

    def open(self) -> None:
        """Connects if there is no connection, and asks which scenes there are."""
        is_new = self._connection is None
        with self._dropped_on_failure():
            connection = self._connection = self._connection or _Connection(self._obs)
            if is_new:
                connection.identify()
                self._shown, self._missing = "", self._find_missing(connection)
            else:
                connection.look()

    def send(self, message: EventMessage) -> None:
        """OBS gets no events."""

    def show(self, text: str, shown: str) -> None:
        """Changes the scene, unless OBS has it already or had none of this name. Raises StateRefusedError while one is missing."""
        del text  # it is the scene too
        connection = self._connection
        if connection is None:
            raise SendingError(f"{self.name} is not connected; it is tried again")
        with self._dropped_on_failure():
            if self._missing and monotonic() >= self._ask_again_s:
                self._missing = self._find_missing(connection)
            if shown not in ("", self._shown, *self._missing):
                if connection.set_scene(shown):
                    self._shown = shown
                else:
                    self._missing = self._find_missing(connection)
        if self._missing:
            raise StateRefusedError(self._explain_missing())

    def check(self) -> None:
        """Connects, asks for the scenes, changes none and goes."""
        try:
            self.open()
            if self._missing:
                raise SendingError(self._explain_missing())
        finally:
            self.close()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _dropped_on_failure(self) -> Iterator[None]:
        """The next try is another connection's."""
        try:
            yield
        except SendingError:
            self.close()
            raise

    def _find_missing(self, connection: "_Connection") -> tuple[str, ...]:
        self._ask_again_s = monotonic() + ASK_AGAIN_S
        there = connection.list_scenes()
        return tuple(scene for scene in self._scenes if scene not in there)

    def _explain_missing(self) -> str:
        names = ", ".join(f"“{scene}”" for scene in self._missing)
        return f"{self.name} has no scene {names}; add it there, or correct the name below [obs.scenes]"


class _TooLongError(OSError):
    """The other side sends more than OBS would."""


class _BoundedSocket(socket.socket):
    """A connection whose next answer ends within a time and a length, whatever the other side sends."""

    _ends_s = 0.0
    _left_bytes = 0

    def begin(self) -> None:
        """A question follows."""
        self._ends_s, self._left_bytes = monotonic() + ANSWER_WITHIN_S, _MOST_BYTES

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        left_s = self._ends_s - monotonic()
        if left_s <= 0:
            raise TimeoutError
        self.settimeout(left_s)
        found = super().recv(min(bufsize, self._left_bytes + 1), flags)
        self._left_bytes -= len(found)
        if self._left_bytes < 0:
            raise _TooLongError
        return found


class _Connection:
    """One connection from its begin to its end. After a SendingError it is of no more use."""

    def __init__(self, obs: Obs) -> None:
        import websocket

        self._obs, self._n_asked = obs, 0
        address = f"[{obs.host}]" if ":" in obs.host else obs.host
        with self._explained():
            plain = socket.create_connection((obs.host, obs.port), ANSWER_WITHIN_S)
            self._socket = _BoundedSocket(fileno=plain.detach())
            self._socket.begin()
            self._socket.settimeout(ANSWER_WITHIN_S)
            try:
                self._websocket = websocket.create_connection(
                    f"ws://{address}:{obs.port}",
                    ANSWER_WITHIN_S,
                    socket=self._socket,
                    suppress_origin=True,
                    redirect_limit=0,
                )
            except BaseException:
                self._socket.close()
                raise

    def identify(self) -> None:
        """Answers the challenge of OBS, if it has a password."""
        hello = self._receive(_HELLO)
        reply: dict[str, object] = {"rpcVersion": _PROTOCOL, "eventSubscriptions": 0}
        match hello.get("authentication"):
            case None:
                pass
            case {"challenge": str(challenge), "salt": str(salt)}:
                if self._obs.password is None:
                    remedy = "write it into a file and name that as [obs] password_file"
                    raise SendingError(f"{self._obs.name} asks for a password; {remedy}", is_lasting=True)
                reply["authentication"] = answer_challenge(self._obs.password.text, salt, challenge)
            case _:
                raise SendingError(f"{self._obs.name} {_NO_OBS}")
        self._send(_IDENTIFY, reply)
        self._receive(_IDENTIFIED)

    def list_scenes(self) -> frozenset[str]:
        """The names of all scenes."""
        found = self._ask("GetSceneList").get("responseData")
        scenes = found.get("scenes") if isinstance(found, dict) else None
        if not isinstance(scenes, list):
            raise SendingError(f"{self._obs.name} {_NO_OBS}")
        return frozenset(
            one["sceneName"] for one in scenes if isinstance(one, dict) and isinstance(one.get("sceneName"), str)
        )

    def set_scene(self, scene: str) -> bool:
        """Whether OBS has this scene and shows it now."""
        answer = self._ask("SetCurrentProgramScene", {"sceneName": scene})
        match answer.get("requestStatus"):
            case {"result": True}:
                return True
            case {"code": code} if code in _NO_SUCH_SCENE:
                return False
            case {"code": int(code)}:
                raise SendingError(f"{self._obs.name} does not change the scene (it answers {code}); see its own log")
            case _:
                raise SendingError(f"{self._obs.name} {_NO_OBS}")

    def look(self) -> None:
        """Notices that OBS has gone. What it said meanwhile is of no interest: no events were asked for."""
        self._socket.begin()
        while select.select([self._socket], [], [], 0)[0]:
            self._take_frame()

    def close(self) -> None:
        """Says nothing: OBS notices."""
        self._websocket.shutdown()

    def _ask(self, request: str, data: dict[str, str] | None = None) -> dict[str, Any]:
        self._n_asked += 1
        number = str(self._n_asked)
        self._send(
            _REQUEST, {"requestType": request, "requestId": number, **({} if data is None else {"requestData": data})}
        )
        while True:
            answer = self._receive(_ANSWER)
            if answer.get("requestId") == number:
                return answer

    def _send(self, kind: int, data: dict[str, object]) -> None:
        self._socket.begin()
        self._socket.settimeout(ANSWER_WITHIN_S)
        with self._explained():
            self._websocket.send(json.dumps({"op": kind, "d": data}))

    def _receive(self, kind: int) -> dict[str, Any]:
        """The next message of this kind."""
        while True:
            text = self._take_frame()
            try:
                found = {} if text is None else json.loads(text)
            except (ValueError, RecursionError):
                found = None
            match found:
                case {"op": op, "d": dict(data)} if op == kind:
                    return data
                case dict():
                    continue
                case _:
                    raise SendingError(f"{self._obs.name} {_NO_OBS}")

    def _take_frame(self) -> bytes | None:
        """The next text; None for anything else but the end, of which it raises SendingError."""
        with self._explained():
            kind, frame = self._websocket.recv_data_frame(control_frame=True)
        if kind == _CLOSE:
            raise self._explain_close(int.from_bytes(frame.data[:2], "big"))
        return bytes(frame.data) if kind == _TEXT else None

    def _explain_close(self, code: int) -> SendingError:
        name = self._obs.name
        if code == _WRONG_PASSWORD:
            return SendingError(f"{name} {_WRONG}", is_lasting=True)
        if code == _OTHER_PROTOCOL:
            return SendingError(f"{name} {_NO_OBS}", is_lasting=True)
        if code == _SENT_AWAY:
            return SendingError(f"{name} sent us away; see OBS, Tools, WebSocket Server Settings")
        return SendingError(f"{name} {explain_connection_error(ConnectionError())}")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from websocket import WebSocketConnectionClosedException, WebSocketException, WebSocketTimeoutException

        try:
            yield
        except WebSocketTimeoutException:
            reason = explain_connection_error(TimeoutError())
        except WebSocketConnectionClosedException:
            reason = explain_connection_error(ConnectionError())
        except _TooLongError:
            reason = _NO_OBS
        except (OSError, ValueError) as error:  # ValueError: no name of a machine
            reason = explain_connection_error(error)
        except WebSocketException:
            reason = _NO_OBS
        else:
            return
        raise SendingError(f"{self._obs.name} {reason}") from None


def answer_challenge(password: str, salt: str, challenge: str) -> str:
    """What proves that we know the password, as the protocol has it."""
    return _digest(_digest(password + salt) + challenge)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
