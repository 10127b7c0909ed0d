"""Receives a webhook and verifies its signature, with only the standard library."""

import base64
import hashlib
import hmac
import http.server
import json
import time

from convert import agio

MAX_AGE_SECONDS = 300


def is_signed(headers, body, secret):
    """Returns whether a message has the signature `v1` of the secret, and is not old."""
    if abs(time.time() - int(headers["webhook-timestamp"])) > MAX_AGE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    # The signature covers the received bytes: verify them before you parse them.
    content = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    # During a rotation a message has two signatures.
    return any(hmac.compare_digest(expected, signature) for signature in headers["webhook-signature"].split())


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers 204 to messages of the webhook, and 400 to all others."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if is_signed(self.headers, body, self.server.secret):
            self.server.events.append(json.loads(body))
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        """Prints no line for each request."""


def main():
    with http.server.HTTPServer(("127.0.0.1", 0), Receiver) as server:
        webhook = agio("webhooks", {"url": f"http://127.0.0.1:{server.server_port}/"})
        server.secret, server.events = webhook["secret"], []
        try:
            # An event that is sent only on request. The events of transactions arrive the same way.
            agio(f"webhooks/{webhook['id']}/test", {})
            while not server.events:
                server.handle_request()
            print("received", server.events[0]["type"])
        finally:
            agio(f"webhooks/{webhook['id']}/delete", {})


if __name__ == "__main__":
    main()
