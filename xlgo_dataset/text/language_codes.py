"""Codes of languages by what people write: a name, a code of three letters, a script, a region."""

from __future__ import annotations

import re
from functools import lru_cache

from .languages import load_language

_FLORES = (
    "amh_Ethi arb_Arab ben_Beng deu_Latn ell_Grek eng_Latn spa_Latn pes_Arab fil_Latn fra_Latn "
    "guj_Gujr hau_Latn heb_Hebr hin_Deva ind_Latn ita_Latn jpn_Jpan jav_Latn khm_Khmr kan_Knda "
    "kor_Hang mal_Mlym mar_Deva zsm_Latn mya_Mymr pan_Guru pol_Latn por_Latn rus_Cyrl swh_Latn "
    "tam_Taml tel_Telu tha_Thai tur_Latn ukr_Cyrl urd_Arab uzn_Latn vie_Latn yor_Latn zho_Hans"
)
_CODES = (
    "am ar bn de el en es fa fil fr gu ha he hi id it ja jv km kn ko ml mr ms my pa pl pt ru sw ta "
    "te th tr uk ur uz vi yo zh"
)
"""ISO 639-1 (639-3 where there is none), in the order of the codes above."""
_OTHERS = {
    "ara": "ar", "fas": "fa", "tgl": "fil", "tl": "fil", "cmn": "zh", "zhs": "zh", "msa": "ms",
    "swa": "sw", "uzb": "uz", "iw": "he", "in": "id", "jw": "jv", "mandarin": "zh",
    "simplified chinese": "zh", "farsi": "fa", "tagalog": "fil", "greek": "el", "panjabi": "pa",
}  # fmt: skip
"""Further codes and names."""
_TRADITIONAL = frozenset({"tw", "hk", "mo"})
"""Regions of Chinese in another script than ours."""


def code_of(text: str) -> str:
    """Return the code of a language of xlgo; the text itself where none is meant.

    Args:
        text: ``te``, ``EN``, ``Telugu``, ``tel``, ``tel_Telu`` or ``zh-CN``. A script or region
            that is not that of the prompts is left as it is.
    """
    names, scripts = _names_and_scripts()
    plain = text.strip().casefold()
    if plain in names:
        return names[plain]
    head, *tail = re.split(r"[-_]", plain)
    code = names.get(head) if len(head) <= 3 else None
    if code is None or len(tail) != 1:
        return text
    is_script = len(tail[0]) == 4 and tail[0] == scripts.get(code)
    is_region = re.fullmatch(r"[a-z]{2}|\d{3}", tail[0]) and (
        code != "zh" or tail[0] not in _TRADITIONAL
    )
    return code if is_script or is_region else text


@lru_cache(maxsize=1)
def _names_and_scripts() -> tuple[dict[str, str], dict[str, str]]:
    """Codes by what they are called, and the script of each."""
    names: dict[str, str] = dict(_OTHERS)
    scripts = {}
    for flores, code in zip(_FLORES.split(), _CODES.split(), strict=True):
        three, _, script = flores.casefold().partition("_")
        scripts[code] = script
        of = load_language(code)
        names |= dict.fromkeys((code, three, of.name.casefold(), of.native_name.casefold()), code)
    names.pop("", None)
    return names, scripts
