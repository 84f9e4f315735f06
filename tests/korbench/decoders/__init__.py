"""Programs that decrypt by the 25 rules: proofs that every ciphertext has one reading."""

from __future__ import annotations

from collections.abc import Callable

from . import modern, monoalphabetic, polyalphabetic, polygraphic, transposition

DECODERS: dict[str, Callable[..., str]] = {
    "1": monoalphabetic.mirror_decode,
    "2": monoalphabetic.pigpen_decode,
    "3": monoalphabetic.multitap_decode,
    "4": monoalphabetic.polybius_decode,
    "5": monoalphabetic.affine_decode,
    "6": polyalphabetic.solitaire_decode,
    "7": polyalphabetic.phillips_decode,
    "8": polyalphabetic.porta_decode,
    "9": polyalphabetic.alberti_decode,
    "10": polyalphabetic.jefferson_decode,
    "11": polygraphic.four_square_decode,
    "12": polygraphic.morbit_decode,
    "13": polygraphic.bifid_decode,
    "14": polygraphic.digrafid_decode,
    "15": polygraphic.collon_decode,
    "16": transposition.redefence_decode,
    "17": transposition.path_decode,
    "18": transposition.grille_decode,
    "19": transposition.adfgvx_decode,
    "20": transposition.columns_decode,
    "21": modern.xor_decode,
    "22": modern.sbox_decode,
    "23": modern.rsa_decode,
    "24": modern.product_decode,
    "25": modern.hash_decode,
}
