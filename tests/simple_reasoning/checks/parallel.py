"""A reader of the parallel word problems, from the strings of a language alone.

It gives statements in the form of ``check_proof``, whose solver then answers the question.
"""

import re

N, Q = "([A-Z][a-z]+)", r"(\d+)"
SHAPES = [  # kind, the line with @ for "how many somebody has", order of the groups
    ("eq", "@ − @ = @ − @", (0, 1, 2, 3)),
    ("seq", f"@ − @ = {Q}<parts> @ − @ = {Q}", (0, 2, 1, 5, 3)),  # the fifth is the first again
    ("multi", rf"@ − \(@ \+ @\) = {Q}", (0, 3, 1, 2)),
    ("sum", rf"@ \+ @ \+ @ = {Q}", (0, 1, 2, 3)),
    ("more", f"@ − @ = {Q}", (0, 2, 1)),
    ("if", rf"<if>: @ > {Q}\. <then>: {N} → {N}", (0, 1, 2, 3)),
    ("gives", f"<gives>: {N} → {N}, {Q}", (0, 2, 1)),
    ("eats", f"<eats>: {N}, {Q}", (0, 1)),
    ("switch", f"<swap>: {N} ↔ {N}", (0, 1)),
    ("share", f"<share>: {N}, {N}", (0, 1)),
    ("split", f"<split>: {N} → {N}, {N}", (0, 1, 2)),
    ("times", rf"<times>: {N}, × (\d+(?:/\d+)?)", (0, 1)),
    ("has", f"@: {Q}", (0, 1)),
]
REMARKS = ("generous", "calm", "shy", "outgoing", "friends", "married", "age")


def parse(prompt, strings):
    """The statements, who is asked about, and the remarks of a prompt."""
    for item, counted in zip(strings["items"], strings.get("counted", strings["items"])):
        found = _parse(prompt, strings, item, counted)
        if found is not None:
            return found
    raise AssertionError(prompt[:300])


def _parse(prompt, strings, item, counted):
    def fixed(text):
        return re.escape(text.replace("{items}", item).replace("{counted}", counted))

    has = re.escape(strings["has"].replace("{items}", item)).replace(re.escape("{name}"), N)
    lines = prompt.split("\n")
    asked = re.fullmatch(fixed(strings["finally"]) + rf": {has} = \?", lines[-2])
    if asked is None:
        return None
    assert lines[0] == strings["told"]
    assert lines[-1] == strings["boxed"] + r" $\boxed{N}$"
    shapes = []
    for kind, shape, order in SHAPES:
        pattern = re.sub(
            "<([a-z]+)>",
            lambda m: fixed(strings.get(m[1], strings.get("semicolon", ";"))),
            shape.replace("@", "\0"),
        )
        shapes.append((kind, re.compile(pattern.replace("\0", has)), order))
    about = re.compile(
        f"{N}(?:, {N})?: ({'|'.join(re.escape(strings[k]) for k in REMARKS)})(: {Q})?"
    )
    statements, remarks = [], []
    for line in lines[1:-2]:
        fits = [(k, p.fullmatch(line), order) for k, p, order in shapes if p.fullmatch(line)]
        if not fits:
            assert about.fullmatch(line), line
            remarks.append(line)
            continue
        assert len(fits) == 1, (line, fits)
        kind, match, order = fits[0]
        groups = match.groups()
        assert kind != "seq" or groups[0] == groups[4]
        statements.append((kind, tuple(groups[i] for i in order)))
    return statements, asked[1], remarks
