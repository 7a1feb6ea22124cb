"""A proxy before the engine that counts what calls cost, for a library whose client does not let anybody listen."""

import json
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from compared.contender import Meter


def metered(endpoint: str) -> tuple[str, Meter]:
    """The address of a proxy before the endpoint, which serves until the program ends; and what counts its calls."""
    meter, engine = Meter(), urlsplit(endpoint).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            operation = self.headers["X-Amz-Target"].rpartition(".")[2]
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not operation.endswith("Table"):
                request["ReturnConsumedCapacity"] = "TOTAL"
            connection = HTTPConnection(engine)
            names = ("X-Amz-Target", "Authorization", "Content-Type", "X-Amz-Date")
            headers = {name: self.headers[name] for name in names if name in self.headers}
            connection.request("POST", "/", json.dumps(request), headers)
            response = connection.getresponse()
            body = response.read()
            connection.close()
            if response.status == 200:  # noqa: PLR2004
                meter.note(json.loads(body), SimpleNamespace(name=operation))
            self.send_response(response.status)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", meter
