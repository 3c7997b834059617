"""The other end of notifications: a push service on this machine, and browsers that can read what it was given."""

import http.server
import json
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tournaments.people.operations import push_messages as rules
from tournaments.people.operations.push import Browser


class Device:
    """A browser with keys of its own."""

    def __init__(self, name: str = "one") -> None:
        self.key, self.auth = ec.generate_private_key(rules.CURVE), bytes(range(16))
        self.endpoint = f"https://push.example.com/send/{name}"

    @property
    def browser(self) -> Browser:
        return Browser(self.endpoint, rules.encoded(rules.public_bytes(self.key)), rules.encoded(self.auth))

    def read(self, body: bytes) -> Any:
        """Decrypt as a browser does. (RFC 8291, 3.4)"""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert (size, length) == (4096, 65)
        point = ec.EllipticCurvePublicKey.from_encoded_point(rules.CURVE, theirs)
        shared = self.key.exchange(ec.ECDH(), point)
        info = b"WebPush: info\0" + rules.public_bytes(self.key) + theirs
        secret = hkdf(shared, self.auth, info, 32)
        cek = hkdf(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(secret, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(cek).decrypt(nonce, sealed, None)
        assert plain[-1:] == b"\x02"
        return json.loads(plain[:-1])


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def claims_of(header: str) -> tuple[Any, str]:
    """Check the signature of a request and return what it says. (RFC 8292, 2)"""
    token, key = (part.strip().partition("=")[2] for part in header.removeprefix("vapid ").split(","))
    head, body, signature = token.split(".")
    raw = rules.decoded(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(rules.CURVE, rules.decoded(key))
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point.verify(der, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(rules.decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    return json.loads(rules.decoded(body)), key


class Service:
    """A push service on this machine, under a certificate of its own: keeps what came, and answers as told."""

    def __init__(self, folder: Path) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.moments: list[float] = []
        self.status, self.drips = 201, False
        lock = threading.Lock()
        key, certificate = certificate_for("push.example.com")
        (folder / "key.pem").write_bytes(key)
        (folder / "cert.pem").write_bytes(certificate)
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    service.got.append((self.path, dict(self.headers), body))
                    service.moments.append(time.time())
                until = time.monotonic() + 8
                while service.drips and time.monotonic() < until:
                    self.wfile.write(b"H")
                    time.sleep(0.1)
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_said: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.trusting = ssl.create_default_context(cafile=folder / "cert.pem")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def certificate_for(name: str) -> tuple[bytes, bytes]:
    key = ec.generate_private_key(rules.CURVE)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    return key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), certificate.public_bytes(pem)
