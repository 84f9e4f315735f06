"""Codes of languages by what people write: a name, a code of three letters, a script, a region."""

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
    plain = text.strip().casefold()
    head, *tail = re.split(r"[-_]", plain)
    is_region = len(tail) == 1 and re.fullmatch(r"[a-z]{2}|\d{3}", tail[0]) and len(head) <= 3
    known = head if is_region and tail[0] not in _TRADITIONAL else plain.replace("-", "_")
    return _codes().get(plain) or _codes().get(known, text)


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Codes by what they are called, with the script or without."""
    codes = dict(_OTHERS)
    for flores, code in zip(_FLORES.casefold().split(), _CODES.split(), strict=True):
        three, _, script = flores.partition("_")
        language = load_language(code)
        names = (code, three, language.name.casefold(), language.native_name.casefold())
        codes |= dict.fromkeys((*names, flores, f"{code}_{script}"), code)
    codes.pop("", None)
    return codes
