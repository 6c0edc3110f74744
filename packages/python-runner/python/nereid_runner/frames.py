"""Messages over a stream socket: uint32 little endian, then so many bytes of UTF-8 JSON."""

from __future__ import annotations

import json
import socket
import struct
import threading
from typing import Any, Optional

Message = dict[str, Any]
HEADER = struct.Struct("<I")


class Connection:
    """One end of a socket. Any thread may send; one thread receives."""

    def __init__(self, stream: socket.socket) -> None:
        self._socket = stream
        self._reader = stream.makefile("rb")
        self._sending = threading.Lock()

    def send(self, message: Message) -> None:
        body = json.dumps(message, separators=(",", ":")).encode()
        with self._sending:
            self._socket.sendall(HEADER.pack(len(body)) + body)

    def receive(self) -> Optional[Message]:
        """The next message; None once the other end has closed."""
        try:
            header = self._reader.read(HEADER.size)
            if len(header) < HEADER.size:
                return None
            (length,) = HEADER.unpack(header)
            body = self._reader.read(length)
        except OSError:
            return None
        return json.loads(body) if len(body) == length else None


def connect(path: str, hello: Message) -> Connection:
    """Connects to the server's socket and says what this connection is."""
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    stream.connect(path)
    connection = Connection(stream)
    connection.send({"type": "hello", "protocol": 1, **hello})
    return connection
