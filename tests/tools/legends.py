"""legends.py VIEWS WORDS PICTURES...: has each view a legend, and is each colour
that it names drawn?  VIEWS has their names, WORDS all that `describe` said, and
a picture is called VIEW-N.png or VIEW-N.svg."""
import re
import struct
import sys
import zlib
from collections import defaultdict
from itertools import accumulate


def of_png(path):
    """The colours of a picture of 8 bits RGB in which each byte is told by its
    difference to the one at its left, as viewer writes them."""
    with open(path, "rb") as f:
        file = f.read()
    at, data = 8, b""
    while at < len(file):
        n, kind = struct.unpack(">I4s", file[at:at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", file[at + 8:at + 16])
        elif kind == b"IDAT":
            data += file[at + 8:at + 8 + n]
        at += 12 + n
    data, seen, line = zlib.decompress(data), set(), 1 + 3 * width
    for row in {data[y * line:(y + 1) * line] for y in range(height)}:
        assert row[0] == 1, f"{path}: filter {row[0]}"
        seen.update(zip(*([v & 255 for v in accumulate(row[c::3])]
            for c in (1, 2, 3))))
    return {"#%02x%02x%02x" % rgb for rgb in seen}


def thin(rgb):
    """What is left of a colour where a line is thinner than a pixel, on the two
    grounds that there are: mixed as light is (ui/palette)."""
    to = [int(rgb[i:i + 2], 16) for i in (1, 3, 5)]
    for ground in (0x10, 0x14, 0x18), (0x16, 0x1b, 0x21):
        for share in range(80, 256):
            yield tuple(round(((a * a * (255 - share) + b * b * share) / 255)
                ** 0.5) for a, b in zip(ground, to))


def is_drawn(sign, rgb, seen):
    if rgb & seen or sign not in ("line", "arrow"):
        return bool(rgb & seen)
    near = {tuple(int(s[i:i + 2], 16) >> 1 for i in (1, 3, 5)) for s in seen}
    return any(tuple(v >> 1 for v in t) in near for one in rgb
        for t in thin(one))


def of_svg(path):
    with open(path) as f:
        return set(re.findall(r"#[0-9a-f]{6}", f.read()))


views = open(sys.argv[1]).read().split()
named = defaultdict(dict)  # of a view: sign and what it says, its colours
view = None
for line in open(sys.argv[2]):
    head = re.match(r"legend of (.*):$", line)
    row = re.match(r"  ([a-z]+)((?: #[0-9a-f]{6})+): (.*)", line)
    if head:
        view = named[head[1]]
    elif row and view is not None:
        view.setdefault((row[1], row[3]), set()).update(row[2].split())
    else:
        view = None
drawn = defaultdict(set)
for path in sys.argv[3:]:
    of = re.match(r"(?:.*/)?([a-z_]+)-[^/]*\.(png|svg)$", path)
    drawn[of[1]] |= of_png(path) if of[2] == "png" else of_svg(path)
wrong = []
for v in views:
    if not named[v]:
        wrong.append(f"{v} has no legend")
    wrong += [f"{v}: no {' '.join(sorted(rgb))} in any of its pictures: {what}"
        for (sign, what), rgb in named[v].items()
        if not is_drawn(sign, rgb, drawn[v.lower()])]
print("\n".join(wrong))
sys.exit(bool(wrong))
