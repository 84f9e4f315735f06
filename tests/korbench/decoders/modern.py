"""Rules 21 to 25: letters as numbers of their ASCII code."""

from __future__ import annotations

import hashlib

from xlgo_dataset.families.korbench.ciphers.programs import pieces

# Rule 21: bits.
BIT_KEY = 0b10101010
PERMUTATION = (2, 0, 3, 1, 4, 6, 5, 7)
INVERSE = (1, 3, 0, 2, 4, 6, 5, 7)


def xor_decode(code: str) -> str:
    """Rule 21, backwards."""
    bits = ["".join(byte[i] for i in INVERSE) for byte in pieces(code, 8)]
    return "".join(chr(int(byte, 2) ^ BIT_KEY) for byte in bits)


# Rule 22: half bytes.
BYTE_KEY = b"1234567890ABCDEF"
"""Its first eight bytes are used: a block has no more."""
BOX = (0xF, 0xA, 0x7, 0x5, 0x9, 0x3, 0xD, 0x0, 0xE, 0x8, 0x4, 0x6, 0x1, 0x2, 0xB, 0xC)
BLOCK, PADDING = 8, "\0"


def sbox_decode(code: str) -> str:
    """Rule 22, backwards, without the padding."""
    out = []
    for i, byte in enumerate(bytes.fromhex(code)):
        key = BYTE_KEY[i % BLOCK]
        turned = byte ^ key
        high, low = divmod((turned >> 1 | turned << 7) & 255, 16)
        out.append((16 * BOX.index(high) + BOX.index(low)) ^ key)
    return bytes(out).decode("ascii").rstrip(PADDING)


# Rule 23: powers.
EXPONENT, MODULUS = 263, 299
"""The exponent is its own inverse: 263 * 263 = 1 modulo 264, the order of the group."""


def rsa_decode(code: str) -> str:
    """Rule 23, backwards, which is the same calculation."""
    return "".join(chr(pow(int(c), EXPONENT, MODULUS)) for c in code.split(","))


# Rule 24: products.
MULTIPLIER = 12


def product_decode(code: str) -> str:
    """Rule 24, backwards."""
    return "".join(chr(int(c) // MULTIPLIER) for c in code.split(","))


# Rule 25: the bytes of a hash value.
HASH = hashlib.sha256(b"SECRET_KEY").digest()


def hash_decode(code: str) -> str:
    """Rule 25, backwards."""
    data = bytes.fromhex(code)
    return bytes(byte ^ HASH[i % len(HASH)] for i, byte in enumerate(data)).decode("ascii")
