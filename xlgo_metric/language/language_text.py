r"""Take out of a text what has no language: formulas, code, JSON, links. Linear in its length."""

import re

# Formulas by their delimiters. A single dollar opens one only before a sign that is no space, and
# closes it only behind one and not before a digit; else it is money ("costs $5 and then $10").
_INLINE = re.compile(r"(?<![\\$])\$(?=[^\s$])((?:[^$\\\n]|\\.){0,1000}?)(?<=[^\s\\])\$(?!\d)", re.S)
_ENVIRONMENT = re.compile(r"\\begin\{([A-Za-z]{1,20})\*?\}")
_ENVIRONMENTS = 20  # are taken out of one text, at most
_COMMAND = re.compile(r"\\[A-Za-z]{1,30}\*?")
_CODE = re.compile(r"`[^`\n]{1,500}`")
_LINK = re.compile(r"https?://\S{1,500}|www\.\S{1,500}")
_TAG = re.compile(r"<[/!]?[A-Za-z][^<>]{0,200}>")
# An object, or a list of texts or of tuples, which a prompt of names may be.
_JSON = re.compile(r"""\{\s{0,40}["'][^{}]{0,2000}\}|\[\s{0,40}\(?["'][^\[\]]{0,2000}\]""")
_FORMULA_WORD = re.compile(r"\b[A-Za-z][A-Za-z0-9]{0,20}[_^][^\s,.]{1,40}")


def without_formulas(text: str) -> str:
    r"""Without ``$$…$$``, ``\(…\)``, ``\[…\]`` and then ``$…$``, as PolyMath's code takes them out.

    Money pairs its dollar signs too, and swallows the words between them.
    """
    for opening, closing in (("$$", "$$"), (r"\(", r"\)"), (r"\[", r"\]"), ("$", "$")):
        text = without(text, opening, closing)
    return text.strip()


# What stands in a text for each pattern to be worth a try: most texts have few of these signs.
_PATTERNS = (
    ("$", _INLINE), ("`", _CODE), ("http", _LINK), ("www.", _LINK), ("<", _TAG), ("{", _JSON),
    ("[", _JSON), ("_", _FORMULA_WORD), ("^", _FORMULA_WORD), ("\\", _COMMAND),
)  # fmt: skip
_STRETCHES = (("```", "```"), ("[asy]", "[/asy]"), ("$$", "$$"), (r"\(", r"\)"), (r"\[", r"\]"))


def prose(text: str) -> str:
    """What is left for a reader: no formulas, figures, code, JSON, links or commands.

    Money stays.
    """
    for opening, closing in _STRETCHES:
        text = without(text, opening, closing)
    if "\\begin" in text:
        text = _without_environments(text)
    for sign, pattern in _PATTERNS:
        if sign in text:
            text = pattern.sub(" ", text)
    return text


def without(text: str, opening: str, closing: str, joint: str = " ") -> str:
    """Without the shortest stretches from ``opening`` to ``closing``; an open end stays.

    Args:
        text: any text.
        opening, closing: what a stretch begins and ends with.
        joint: stands in the place of each.
    """
    end = text.rfind(closing) + len(closing)  # behind it nothing closes: a search would not end
    stretch = re.compile(re.escape(opening) + ".*?" + re.escape(closing), re.S)
    return stretch.sub(lambda _: joint, text[:end]) + text[end:]


def _without_environments(text: str) -> str:
    """Without ``\\begin{name} … \\end{name}``, of a few names."""
    for name in list(dict.fromkeys(_ENVIRONMENT.findall(text)))[:_ENVIRONMENTS]:
        text = without(
            text.replace(f"{name}*}}", f"{name}}}"), f"\\begin{{{name}}}", f"\\end{{{name}}}"
        )
    return text
