from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Optional, Type


class AnsweringServer:
    """Accepts every record like Trackside, and counts them and the connections they come by."""

    def __init__(self) -> None:
        self.connections = 0
        self.records = 0
        #: What the requests say in Trackside-Attempt.
        self.attempts: list[Optional[str]] = []
        self.sequences: list[str] = []
        self.releases: list[Optional[str]] = []
        #: This many requests are read, and their connections closed without an answer.
        self.unanswered = 0
        counted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                counted.connections += 1

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                counted.attempts.append(self.headers["Trackside-Attempt"])
                counted.sequences.append(self.headers["Trackside-Sequence"])
                counted.releases.append(self.headers["Trackside-Release"])
                if counted.unanswered > 0:
                    counted.unanswered -= 1
                    self.close_connection = True
                    return
                counted.records += 1
                body = b'{"Code":200,"Message":"Success"}'
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close_listener(self) -> None:
        """Take no new connections. Those that are open stay."""
        self._server.shutdown()
        self._server.socket.close()

    def __enter__(self) -> AnsweringServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
