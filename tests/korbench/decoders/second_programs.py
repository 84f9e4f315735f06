"""Second programs for the ciphers, for tests only.

They share no code and no table with the package: every table is read from the text of the rule, as
a model would read it. So they also prove that the texts are complete.
"""

import hashlib
from collections.abc import Callable


def _lines(text):
    return text.split("\n")


def _grid(text, after, rows):
    """The ``rows`` lines of single signs that follow the line that begins with ``after``."""
    lines = _lines(text)
    start = next(i for i, line in enumerate(lines) if line.startswith(after))
    return [line.split(" ") for line in lines[start + 1 : start + 1 + rows]]


def _value(text, name):
    line = next(line for line in _lines(text) if line.startswith(name))
    return line[len(name) :].strip()


def _table(text):
    """Lines of a letter, a blank and a code."""
    pairs = [line.split(" ") for line in _lines(text)]
    return {p[0]: p[1] for p in pairs if len(p) == 2 and len(p[0]) == 1}


def mirror(rule, text):
    straight, other = _value(rule, "Alphabet:"), _value(rule, "Substitutes:")
    back = dict(zip(straight, reversed(straight)))
    ahead = dict(zip(straight, straight[4:] + straight[:4]))
    final = dict(zip(straight, other))
    return "".join(final[ahead[back[letter]]] for letter in text)


def signs(rule, text):
    table = _table(rule)
    return "".join(map(table.__getitem__, text))


def keys(rule, text):
    out = ""
    for letter in text:
        for line in _lines(rule):
            if line.startswith("key ") and letter in line.split(": ")[1]:
                out += line[4] + "^" + str(line.split(": ")[1].find(letter) + 1)
    return out


def square(rule, text):
    grid = _grid(rule, "The square has", 5)
    out = ""
    for letter in text:
        places = [(r, c) for r in range(5) for c in range(5) if grid[r][c] == letter]
        out += f"{places[0][0] + 1}{places[0][1] + 1}" if places else "66"
    return out


def line(rule, text):
    order = _lines(rule)[3]
    return "".join(order[(3 * order.find(letter) + 5) % 26] for letter in text)


def deck(rule, text):
    """Circular reading of the rule: a card that would pass the end goes in after the first."""
    order = _lines(rule)[3]
    cards = [int(n) for n in next(x for x in _lines(rule) if x.startswith("9, 25")).split(", ")]
    out = ""
    for letter in text:
        while True:
            for joker, times in ((53, 1), (54, 2)):
                for _ in range(times):
                    at = cards.index(joker)
                    if at == len(cards) - 1:
                        cards.insert(1, cards.pop())
                    else:
                        cards[at], cards[at + 1] = cards[at + 1], cards[at]
            low, high = sorted(i for i, card in enumerate(cards) if card in (53, 54))
            cards = cards[high + 1 :] + cards[low : high + 1] + cards[:low]
            for _ in range(cards[-1] if cards[-1] < 53 else 53):
                top = cards.pop(0)
                cards.insert(len(cards) - 1, top)
            found = cards[cards[0] if cards[0] < 53 else 53]
            if found < 53:
                break
        out += order[(order.find(letter) + found) % 26]
    return out


def squares_in_turn(rule, text):
    rows = _grid(rule, "Square 0", 5)
    out = ""
    for place, letter in enumerate(text):
        turned = list(rows)
        for _ in range(place // 5 % 8):
            turned.insert(0, turned.pop())
        flat = "".join(map("".join, turned))
        if letter == "J":
            out += "J"
            continue
        at = flat.find(letter)
        below = (at + 5) % 25
        out += flat[below - 4 if below % 5 == 4 else below + 1]
    return out


def alphabets(rule, text, key):
    rows = {x[:2]: x[4:] for x in _lines(rule) if len(x) == 30 and x[2:4] == ": "}
    out = ""
    for letter, chooser in zip(text, key * len(text)):
        chosen = next(row for pair, row in rows.items() if chooser in pair)
        out += chosen[ord(letter) - 65]
    return out


def discs(rule, text, period, increment):
    outer, inner = _value(rule, "Outer disc:"), list(_value(rule, "Inner disc:"))
    out, count = "", 0
    for letter in text:
        out += inner[outer.find(letter)]
        count += 1
        if count == period:
            count = 0
            for _ in range(increment):
                inner.append(inner.pop(0))
    return out


def reels(rule, text):
    rows = [x.split(": ")[1] * 2 for x in _lines(rule) if x.startswith("Reel ")]
    return "".join(rows[i % 25][rows[i % 25].find(x) + 1] for i, x in enumerate(text))


def four_squares(rule, text):
    flat = ["".join(map("".join, _grid(rule, f"Square {n}:", 5))) for n in (1, 2, 3, 4)]
    text = text.replace("Q", "")
    if len(text) % 2 == 1:
        text += "X"
    changed = [
        (flat[1][flat[0].find(x)] if i % 2 == 0 else flat[2][flat[3].find(x)])
        for i, x in enumerate(text)
    ]
    return "".join(changed)


def morse(rule, text):
    table = _table(rule)
    digits = dict(x.split(" is ") for x in _lines(rule) if " is " in x and len(x) == 7)
    row = "/".join(table[letter] for letter in text)
    out = ""
    while len(row) > 1:
        out, row = out + digits[row[:2]], row[2:]
    return out + row


def rows_then_columns(rule, text):
    flat = "".join(map("".join, _grid(rule, "The square has", 5)))
    text = [x for x in text if x != "J"]
    row = [flat.find(x) // 5 for x in text] + [flat.find(x) % 5 for x in text]
    return "".join(flat[5 * row[2 * i] + row[2 * i + 1]] for i in range(len(text)))


def three_digits(rule, text):
    wide, tall, small = (
        _grid(rule, "Grid 1", 3),
        _grid(rule, "Grid 2", 9),
        _grid(rule, "Grid 3", 3),
    )
    while len(text) % 6:
        text += "#"
    out = ""
    for i in range(0, len(text), 2):
        r1 = next(r for r in range(3) if text[i] in wide[r])
        r2 = next(r for r in range(9) if text[i + 1] in tall[r])
        number = small[r1][tall[r2].index(text[i + 1])]
        out += str(wide[r1].index(text[i])) + number + str(r2)
    return out


def head_and_foot(rule, text):
    grid = _grid(rule, "The square:", 5)
    out = ""
    for letter in text:
        for row in grid:
            if letter in row:
                out += row[0] + grid[-1][row.index(letter)]
    return out


def down_and_up(rule, text):
    cells, row, column, step = {}, 0, 0, 1
    for letter in text:
        if not 0 <= row <= 4:
            step, column = -step, column + 1
            row = 4 if step < 0 else 0
            cells[row, column] = "#"
            row += step
        cells[row, column] = letter
        row += step
    out = ""
    for r in range(5):
        out += "".join(cells[r, c] for c in range(column + 1) if (r, c) in cells) + "*"
    return out


def to_and_fro(rule, text):
    cells = {}
    for i, letter in enumerate(text):
        row, at = divmod(i, 5)
        cells[row, at if row % 2 == 0 else 4 - at] = letter
    out = ""
    for column in range(5):
        here = "".join(cells[key] for key in sorted(cells) if key[1] == column)
        out += here + "#" if here else ""
    return out


def template(rule, text):
    shape = _grid(rule, "A template covers", 4)
    out = ""
    while text:
        block, text = text[:16].ljust(16, "#"), text[16:]
        grid, turned = [[""] * 4 for _ in range(4)], shape
        for _ in range(4):
            for r in range(4):
                for c in range(4):
                    if turned[r][c] == "O":
                        grid[r][c], block = block[0], block[1:]
            turned = [list(x) for x in zip(*turned)][::-1]
        out += "".join(map("".join, grid))
    return out


def rows_apart(rule, text):
    grid = _grid(rule, "The square has", 6)
    names = "ADFGVX"
    pairs = [(r, row.index(x)) for x in text for r, row in enumerate(grid) if x in row]
    return "".join(names[r] for r, _ in pairs) + "".join(names[c] for _, c in pairs)


def columns(rule, text):
    order = [
        int(n)
        for n in _value(rule, "The order of the columns, which are counted from 0, is:").split(", ")
    ]
    out = ""
    while text:
        part, text = text[:7].ljust(7, "$"), text[7:]
        out += "".join(part[c] for c in order)
    return out


def bits(rule, text):
    order = [int(n) for n in _value(rule, "The order of the bits is:").split(", ")]
    out = ""
    for letter in text:
        plain = bin(256 + ord(letter))[3:]
        mixed = ["1" if a != b else "0" for a, b in zip(plain, "10101010")]
        out += "".join(mixed[i] for i in order)
    return out


def half_bytes(rule, text):
    box = {x[0]: x[-1] for x in _lines(rule) if len(x) == 6 and x[1:5] == " by "}
    out = ""
    text += "\0" * ((8 - len(text) % 8) % 8)
    for i, letter in enumerate(text):
        key = ord("12345678"[i % 8])
        boxed = "".join(box[digit] for digit in format(ord(letter) ^ key, "02X"))
        row = format(int(boxed, 16), "08b")
        out += format(int(row[1:] + row[0], 2) ^ key, "02X")
    return out


def powers(rule, text):
    out = []
    for letter in text:
        value = 1
        for _ in range(263):
            value = value * ord(letter) % 299
        out.append(value)
    return ",".join(map(str, out))


def products(rule, text):
    return ",".join(str(sum([ord(letter)] * 12)) for letter in text)


def hash_bytes(rule, text):
    key = next(x for x in _lines(rule) if len(x) == 64)
    assert key == hashlib.sha256(b"SECRET_KEY").hexdigest()
    out = ""
    for i, letter in enumerate(text):
        byte = int(key[2 * (i % 32) : 2 * (i % 32) + 2], 16)
        out += format(ord(letter) ^ byte, "02x")
    return out


PROGRAMS: dict[str, Callable[..., str]] = {
    "1": mirror, "2": signs, "3": keys, "4": square, "5": line, "6": deck, "7": squares_in_turn,
    "8": alphabets, "9": discs, "10": reels, "11": four_squares, "12": morse,
    "13": rows_then_columns, "14": three_digits, "15": head_and_foot, "16": down_and_up,
    "17": to_and_fro, "18": template, "19": rows_apart, "20": columns, "21": bits,
    "22": half_bytes, "23": powers, "24": products, "25": hash_bytes,
}  # fmt: skip
