"""Rules 21 to 25: letters as numbers of their ASCII code."""

from __future__ import annotations

import hashlib

# Rule 21: bits.
BIT_KEY = 0b10101010
PERMUTATION = (2, 0, 3, 1, 4, 6, 5, 7)


def xor_encode(text: str) -> str:
    """Rule 21: eight bits a letter, exclusive or with the key, then the permutation."""
    bits = [f"{ord(p) ^ BIT_KEY:08b}" for p in text]
    return "".join(byte[i] for byte in bits for i in PERMUTATION)


# Rule 22: half bytes.
BYTE_KEY = b"1234567890ABCDEF"
"""Its first eight bytes are used: a block has no more."""
BOX = (0xF, 0xA, 0x7, 0x5, 0x9, 0x3, 0xD, 0x0, 0xE, 0x8, 0x4, 0x6, 0x1, 0x2, 0xB, 0xC)
BLOCK, PADDING = 8, "\0"


def sbox_encode(text: str) -> str:
    """Rule 22: blocks of eight filled with zero bytes; key, box, turn left by one bit, key."""
    text += PADDING * (-len(text) % BLOCK)
    out = []
    for i, byte in enumerate(text.encode("ascii")):
        key = BYTE_KEY[i % BLOCK]
        high, low = divmod(byte ^ key, 16)
        boxed = 16 * BOX[high] + BOX[low]
        out.append(((boxed << 1 | boxed >> 7) & 255) ^ key)
    return bytes(out).hex().upper()


# Rule 23: powers.
EXPONENT, MODULUS = 263, 299
"""The exponent is its own inverse: 263 * 263 = 1 modulo 264, the order of the group."""


def rsa_encode(text: str) -> str:
    """Rule 23: the power of every code, separated by commas."""
    return ",".join(str(pow(ord(p), EXPONENT, MODULUS)) for p in text)


# Rule 24: products.
MULTIPLIER = 12


def product_encode(text: str) -> str:
    """Rule 24: twelve times every code, separated by commas."""
    return ",".join(str(MULTIPLIER * ord(p)) for p in text)


# Rule 25: the bytes of a hash value.
HASH = hashlib.sha256(b"SECRET_KEY").digest()


def hash_encode(text: str) -> str:
    """Rule 25: exclusive or with the bytes of the hash value, over and over, in hexadecimal."""
    return bytes(byte ^ HASH[i % len(HASH)] for i, byte in enumerate(text.encode("ascii"))).hex()
