"""What the classes of `pb_utils` need of the process they run in; set once, when the process starts."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .calls import Calls

COMPLETING, INITIALIZING, SERVING, FINALIZING = "auto_complete_config", "initialize", "execute", "finalize"


class Host:
    """The state of this instance's process."""

    def __init__(self) -> None:
        self.stage = COMPLETING
        self.calls: Optional[Calls] = None
        self.model_name = ""
        self.model_directory = ""
        self.model_file = ""
        #: The model's own directory, above its versions.
        self.model_root = ""
        #: The engine's settings of the load (docs/runner-protocol.md).
        self.session: dict[str, Any] = {}
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._starting = threading.Lock()

    def calls_for(self, what: str) -> Calls:
        """RuntimeError in a stage from which the server cannot be asked."""
        if self.calls is None or self.stage not in (INITIALIZING, SERVING):
            raise RuntimeError(f"{what} is not supported during the '{self.stage}' function.")
        return self.calls

    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the model's coroutines, in a thread of its own."""
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="coroutines", daemon=True).start()
            return self._loop

    def start(self, coroutine: Any) -> Any:
        """Runs a coroutine there; the future is a `concurrent.futures.Future`."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop())


host = Host()
