"""The other end of obs-websocket 5, written from its protocol document: greeting, challenge, scenes, codes. It fails as it is told."""

import base64
import hashlib
import json
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, Request, TextMessage
from wsproto.frame_protocol import CloseReason

SALT, CHALLENGE = "PZVbYpvAnZut2SS6JNJytDm9", "ztTBnnuqrqaKDzRM3xcVdbYm"


@dataclass(slots=True)
class ObsServer:
    """`scenes`: those that it has; `shown`: those that it was told to show, in order. `is_silent`: it answers no request."""

    password: str = ""
    scenes: list[str] = field(default_factory=lambda: ["Board", "Dice", "Table"])
    shown: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    greeting: dict[str, Any] | None = None
    is_silent: bool = False
    port: int = 0
    _listening: socket.socket | None = None
    _open: list[socket.socket] = field(default_factory=list)

    def start(self) -> "ObsServer":
        """At the port that it had before, if it had one."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()
        return self

    def kill(self) -> None:
        """As a crash does it: no farewell."""
        for opened in (self._listening, *self._open):
            if opened is not None:
                with suppress(OSError):
                    opened.shutdown(socket.SHUT_RDWR)
                opened.close()
        self._listening, self._open = None, []

    def flood(self, frames: bytes) -> None:
        """Frames that answer nothing, on every connection."""
        for opened in self._open:
            opened.sendall(frames)

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                opened, _ = listening.accept()
                self._open.append(opened)
                threading.Thread(target=self._serve, args=(opened,), daemon=True).start()

    def _serve(self, opened: socket.socket) -> None:
        connection = WSConnection(ConnectionType.SERVER)
        with suppress(OSError):
            while data := opened.recv(65_536):
                connection.receive_data(data)
                for event in connection.events():
                    for reply in self._reply(event):
                        opened.sendall(connection.send(reply))

    def _reply(self, event: object) -> list[Any]:
        match event:
            case Request():
                return [AcceptConnection(), _message(0, self._greet())]
            case TextMessage(data=text):
                self.texts.append(text)
                return self._answer(json.loads(text))
            case Ping():
                return [event.response()]
            case _:
                return []

    def _greet(self) -> dict[str, Any]:
        if self.greeting is not None:
            return self.greeting
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.5.2", "rpcVersion": 1}
        return {**hello, "authentication": {"challenge": CHALLENGE, "salt": SALT}} if self.password else hello

    def _answer(self, message: dict[str, Any]) -> list[Any]:
        data = message["d"]
        if message["op"] == 1:
            if self.password and data.get("authentication") != self._expected():
                return [CloseConnection(4009, "Authentication failed.")]
            return [_message(2, {"negotiatedRpcVersion": 1})]
        if message["op"] != 6:
            return [CloseConnection(CloseReason.PROTOCOL_ERROR)]
        self.asked.append(data["requestType"])
        if self.is_silent:
            return []
        return [_message(5, {"eventType": "Unasked"}), _message(7, self._request(data))]

    def _request(self, data: dict[str, Any]) -> dict[str, Any]:
        head = {"requestType": data["requestType"], "requestId": data["requestId"]}
        if data["requestType"] == "GetSceneList":
            scenes = [{"sceneIndex": at, "sceneName": name} for at, name in enumerate(self.scenes)]
            return {**head, "requestStatus": {"result": True, "code": 100}, "responseData": {"scenes": scenes}}
        name = data["requestData"]["sceneName"]
        if name not in self.scenes:
            return {**head, "requestStatus": {"result": False, "code": 600, "comment": "No source was found."}}
        self.shown.append(name)
        return {**head, "requestStatus": {"result": True, "code": 100}}

    def _expected(self) -> str:
        secret = base64.b64encode(hashlib.sha256((self.password + SALT).encode()).digest())
        return base64.b64encode(hashlib.sha256(secret + CHALLENGE.encode()).digest()).decode()


def _message(kind: int, data: dict[str, Any]) -> TextMessage:
    return TextMessage(json.dumps({"op": kind, "d": data}))
