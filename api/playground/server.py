"""The server of the playground: this machine alone may ask, with a token, from the page itself."""

from __future__ import annotations

import hmac
import json
import secrets
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from tallystick.pages import STYLE
from tallystick.playground.workers import Workers

ADDRESS: Final = "127.0.0.1"
LARGEST_BODY: Final = 200_000
"""Bytes of a question."""
SOCKET_SECONDS: Final = 10.0
"""For which a connection may be silent."""
POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class Playground(ThreadingHTTPServer):
    """The server. `close` ends it, its processes, and removes its files.

    Attributes:
        token: what a browser has to show once, and keeps in a cookie.
        address: what to open: it has the token.
    """

    daemon_threads = True

    def __init__(self, port: int = 0, seconds: float | None = None) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.token = secrets.token_urlsafe(32)
        self.hosts = {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}
        self.cookie = f"tallystick-{self.server_port}"
        self.address = f"http://{ADDRESS}:{self.server_port}/?token={self.token}"
        self.workers = Workers() if seconds is None else Workers(seconds)

    def close(self) -> None:
        """Ends the server and all that it has started."""
        self.server_close()
        self.workers.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks off is nobody's error."""


class _Handler(BaseHTTPRequestHandler):
    server: Playground  # type: ignore[assignment]
    server_version, sys_version = "tallystick", ""
    timeout = SOCKET_SECONDS

    def do_GET(self) -> None:
        """The page; with the token in the address, a cookie and the way to the page without it."""
        parts = urlsplit(self.path)
        if not self._is_local() or parts.path != "/":
            return self._refuse(403 if parts.path == "/" else 404)
        given = parse_qs(parts.query).get("token", [""])[0]
        if self._is_token(given):
            kept = f"{self.server.cookie}={self.server.token}; HttpOnly; SameSite=Strict; Path=/"
            return self._send(303, b"", "text/plain", {"Location": "/", "Set-Cookie": kept})
        if given or not self._is_known():
            return self._refuse(403)
        nonce = secrets.token_urlsafe(16)
        policy = {"Content-Security-Policy": POLICY.format(nonce=nonce)}
        return self._send(200, page(nonce).encode(), "text/html; charset=utf-8", policy)

    def do_POST(self) -> None:
        """The answer to a question of the page."""
        origin = self.headers.get("Origin", "")
        of_page = origin.removeprefix("http://") in self.server.hosts and origin.startswith("http://")
        if not (self._is_local() and of_page and self._is_known()):
            return self._refuse(403)
        if self.path != "/answer":
            return self._refuse(404)
        if self.headers.get("Content-Type", "").partition(";")[0] != "application/json":
            return self._refuse(415)
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self._refuse(411)
        if int(length[:12]) > LARGEST_BODY:
            return self._refuse(413)
        try:
            asked = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return self._refuse(400)
        if not isinstance(asked, dict):
            return self._refuse(400)
        found = json.dumps(self.server.workers.ask(asked), ensure_ascii=False).encode(errors="backslashreplace")
        return self._send(200, found, "application/json", {})

    def _is_local(self) -> bool:
        """Whether the browser thinks that it speaks with this machine, and not with a name that leads here."""
        return self.headers.get("Host", "") in self.server.hosts

    def _is_known(self) -> bool:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(self.server.cookie)
        except CookieError:
            return False
        return cookie is not None and self._is_token(cookie.value)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(errors="replace"), self.server.token.encode())

    def _refuse(self, status: int) -> None:
        said = b"Open the address that tallystick playground has printed.\n" if status == 403 else b""
        self.close_connection = True
        self._send(status, said, "text/plain", {"Connection": "close"})

    def _send(self, status: int, body: bytes, kind: str, more: dict[str, str]) -> None:
        self.send_response(status)
        fixed = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        for name, value in {**fixed, **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002, the name of its base
        """Nothing is logged: addresses have the token."""


def page(nonce: str) -> str:
    """The page of the playground, whose style and script have a nonce."""
    text = files("tallystick.playground").joinpath("page.html").read_text(encoding="utf-8")
    return text.replace("{{nonce}}", nonce).replace("{{style}}", STYLE).replace("{{dialects}}", _dialects())


def _dialects() -> str:
    try:
        from tallystick.frontends.sql.dialects import DIALECTS
    except ModuleNotFoundError:  # without the extra `sql` functions are compared alone
        return ""
    return "".join(f"<option>{name}</option>" for name in DIALECTS)
