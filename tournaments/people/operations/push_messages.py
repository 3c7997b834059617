"""Web Push by hand: messages encrypted for one browser (RFC 8291) and requests signed by this site (RFC 8292)."""

import base64
import hashlib
import json
import os
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
RECORD_SIZE = 4096
MOST_PLAIN = 3000
PUBLIC, AUTH = 65, 16
HTTPS = 443
LONGEST_ENDPOINT = 1000
LOCAL = ("localhost", ".localhost", ".local", ".internal", ".lan", ".home", ".arpa")


def site_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Return the site's own key, made from its secret: nothing is stored, and a restored site keeps it."""
    seed = _derived(secret.encode(), salt=b"four-winds", info=b"web push vapid", length=48)
    return ec.derive_private_key(int.from_bytes(seed, "big") % (ORDER - 1) + 1, CURVE)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public point as browsers write it, uncompressed."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(data: bytes) -> str:
    """Write bytes as URL-safe text without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Read URL-safe text; anything else raises ValueError."""
    return base64.b64decode(
        text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True
    )


def tidied(text: str) -> str:
    """Write a key as it is stored: without padding, of which a sender may write as much as it likes."""
    return encoded(decoded(text))


def is_key(p256dh: str, auth: str) -> bool:
    """Return whether these are a point of the curve and sixteen secret bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(p256dh))
        return len(decoded(p256dh)) == PUBLIC and len(decoded(auth)) == AUTH
    except ValueError:
        return False


def is_endpoint(address: str) -> bool:
    """Return whether an address can be a push service's: https on its usual port, a public name, nothing but path and query.

    Where the name leads is looked at again when something is sent.
    """
    if len(address) > LONGEST_ENDPOINT or not address.isascii() or any(sign <= " " for sign in address):
        return False
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    host = (parts.hostname or "").rstrip(".")
    is_name = "." in host and not host.endswith(LOCAL) and host.rpartition(".")[2].isalpha()
    is_bare = parts.username is None and parts.password is None and not parts.fragment
    return parts.scheme == "https" and is_name and is_bare and port in {None, HTTPS}


def encrypted(
    plain: bytes,
    *,
    p256dh: str,
    auth: str,
    salt: bytes | None = None,
    key: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Encrypt a message for one browser as a single record of aes128gcm. (RFC 8291, 3)"""
    salt, key = salt or os.urandom(16), key or ec.generate_private_key(CURVE)
    theirs, ours = decoded(p256dh), public_bytes(key)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = _derived(shared, salt=decoded(auth), info=b"WebPush: info\0" + theirs + ours, length=32)
    cek = _derived(secret, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
    nonce = _derived(secret, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
    head = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(cek).encrypt(nonce, plain[:MOST_PLAIN] + b"\x02", None)


def _derived(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def authorization(endpoint: str, key: ec.EllipticCurvePrivateKey, *, contact: str, until: int) -> str:
    """Sign that this site sends to the service of an address, until a moment. (RFC 8292, 2)"""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": until, "sub": contact}
    text = ".".join(
        encoded(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={text}.{signature}, k={encoded(public_bytes(key))}"


def topic_of(key: str) -> str:
    """Return a name by which a push service replaces a message that was not fetched yet by the same one sent again. (RFC 8030, 5.4)"""
    return encoded(hashlib.sha256(key.encode()).digest()[:24])


def is_quiet(hour: int, quiet_from: int | None, quiet_until: int | None) -> bool:
    """Return whether an hour of the day lies within the quiet ones, which may go over midnight."""
    if quiet_from is None or quiet_until is None or quiet_from == quiet_until:
        return False
    if quiet_from < quiet_until:
        return quiet_from <= hour < quiet_until
    return hour >= quiet_from or hour < quiet_until
