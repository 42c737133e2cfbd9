"""Memory as the viewer has it: what is in use, what was given out where, what
was freed by whom.  From a to b is a <= t < b; what is in use is so at b."""
import math
import re
from collections import Counter

SHOWN = 64          # places, pairs and processes in words
MEAN = 524288.0     # of mem_sample
WORDS = ("pieces", "asked", "given", "freed", "live", "live bytes")
COUNTS = {"heap_made": ("pieces", "given"), "heap_asked": ("asked",),
    "heap_freed": ("freed", "bytes", "null frees")}


def shown_memory(w):
    if w.value(r"memory: (not added up yet)"):
        return None
    found = Counter()
    for line in w.lines:
        if m := re.match(r"memory(?: counted)?: (.*)", line):
            if "recorded by" in line or "no memory" in line:
                continue
            key = "counted " if line.startswith("memory counted") else ""
            for part in m[1].split(", "):
                word, n = part.rsplit(" ", 1)
                if re.fullmatch(r"-?\d+", n):
                    found[key + word] = int(n)
        elif m := re.match(r"memory of process (\S+): in use (-?\d+), most "
                r"(-?\d+)", line):
            found[f"{m[1]} in use"], found[f"{m[1]} most"] = int(m[2]), \
                int(m[3])
        elif m := re.match(r"memory of (\S+\+0x[0-9a-f]+|.*?)(?: \(.* .*\)| \(\w+\))?: "
                r"(~?)(\d+) pieces, asked (\d+), "
                r"given (\d+), freed (\d+), live (\d+), live bytes (\d+), "
                r"stacks (\d+)(, only grows)?", line):
            for word, n in zip(WORDS + ("stacks",), m.groups()[2:9]):
                found[f"{m[1]}{m[2]} {word}"] += int(n)
            found[f"{m[1]}{m[2]} grows"] += bool(m[10])
        elif m := re.match(r"memory given to (\S+), freed by (\S+): (\d+) "
                r"pieces, (\d+) bytes", line):
            found[f"{m[1]} {m[2]} pieces"] = int(m[3])
            found[f"{m[1]} {m[2]} bytes"] = int(m[4])
    return found


class Place:
    def __init__(self, name, picked):
        self.name, self.picked, self.shrank = name, picked, False
        self.of, self.stacks = dict.fromkeys(WORDS, 0.0), set()

    def order(self):
        return -self.of["live bytes"], -self.of["asked"], self.name


class Process:
    def __init__(self):
        self.counted = self.pieces = self.most = self.value = 0
        self.counts = False


class Memory:
    def __init__(self, run, r):
        self.run, self.r = run, r
        self.places, self.live, self.pairs = {}, {}, {}
        self.processes, self.threads, self.before = {}, {}, {}
        self.sums = Counter()
        self.total = self.most = 0
        for e in run.events:
            if e.t < r.past and e.kind.startswith(("mem_", "heap_")):
                self.event(e)

    def event(self, e):
        self.inside = e.t >= self.r.a
        self.at = self.run.known.place(e.at)
        if e.kind != "heap_mapped" and not (e.kind == "mem_free" and e.a == 0):
            self.process = self.processes.setdefault(self.at, Process())
        if e.kind in COUNTS:
            self.count(e)
        elif e.kind in ("mem_alloc", "mem_sample"):
            self.alloc(e)
        elif e.kind == "mem_given":
            self.given(e)
        elif e.kind == "mem_free":
            self.free(e)

    def changed(self):
        p = self.process
        now = p.counted if p.counts else p.pieces
        self.total += now - p.value
        self.most = max(self.most, self.total)
        p.value, p.most = now, max(p.most, now)

    def count(self, e):
        of = self.threads.setdefault(e.at, Counter())
        was = of["given"] - of["bytes"]
        of.update({k: v - of[k] for k, v in zip(COUNTS[e.kind], (e.a, e.b,
                e.c))})
        if not self.inside:
            self.before[e.at] = Counter(of)
        self.process.counts = True
        self.process.counted += of["given"] - of["bytes"] - was
        self.changed()

    def place(self, e, picked):
        text, file, line = self.run.known.names.get(e.c, ("", "", 0))
        key = (e.c if file or not text else text.split(" < ")[0], picked)
        place = self.places.setdefault(key, Place(e.c, picked))
        place.stacks.add(e.c)
        return place

    def add(self, place, word, n, always=False):
        if always or self.inside:
            place.of[word] += n
            self.sums[word] += n

    def alloc(self, e):
        picked = e.kind == "mem_sample"
        stands = 1 / (1 - math.exp(-e.b / MEAN)) if picked and e.b else 1
        place = self.place(e, picked)
        if (self.at, e.a) in self.live:
            self.end(e)
        self.live[self.at, e.a] = [e.b, stands, place, e.at]
        for word, n in (("pieces", stands), ("asked", e.b * stands), ("given",
                e.b * stands)):
            self.add(place, word, n)
        self.add(place, "live", stands, True)
        self.add(place, "live bytes", e.b * stands, True)
        if not picked:
            self.process.pieces += e.b
            self.changed()

    def given(self, e):
        piece = self.live.get((self.at, e.a))
        if piece is None:
            return
        more, piece[0] = e.b - piece[0], e.b
        self.add(piece[2], "live bytes", more, True)
        self.add(piece[2], "given", more)
        self.process.pieces += more
        self.changed()

    def free(self, e):
        if e.a == 0:
            self.sums["null frees"] += self.inside
            return
        if (self.at, e.a) not in self.live:
            return
        size, stands, place, owner = self.live[self.at, e.a]
        self.add(place, "freed", stands)
        if owner != e.at and self.inside:
            self.sums["freed elsewhere"] += 1
            pair = self.pairs.setdefault((owner, e.at), [0, 0])
            pair[0] += 1
            pair[1] += size
        self.end(e)

    def end(self, e):
        size, stands, place, owner = self.live.pop((self.at, e.a))
        place.shrank = True
        self.add(place, "live", -stands, True)
        self.add(place, "live bytes", -size * stands, True)
        if not place.picked:
            self.process.pieces -= size
            self.changed()


def rounded(x):
    """As %.0f prints it."""
    return int(f"{x:.0f}")


def true_memory(run, r):
    if not any(e.kind.startswith(("mem_", "heap_")) for e in run.events):
        return Counter()
    m, found, known = Memory(run, r), Counter(), run.known
    found.update({"in use": m.total, "most": m.most, "null frees":
        m.sums["null frees"], "freed elsewhere": m.sums["freed elsewhere"]})
    found.update({word: rounded(m.sums[word]) for word in WORDS})
    if m.threads:
        for word in ("pieces", "asked", "given", "freed", "bytes",
                "null frees"):
            found[f"counted {word}"] = sum(of[word] - m.before.get(at,
                    Counter())[word] for at, of in m.threads.items())
    for (node, po), p in m.processes.items():
        who = f"{known.node_name(node)}/{po}"
        found[f"{who} in use"], found[f"{who} most"] = p.value, p.most
    for place in sorted(m.places.values(), key=Place.order)[:SHOWN]:
        text = known.names.get(place.name, ("",))[0].split(" < ")[0]
        key = (text or "(not known)") + "~" * place.picked
        for word in WORDS:
            found[f"{key} {word}"] += rounded(place.of[word])
        found[f"{key} stacks"] += len(place.stacks)
        found[f"{key} grows"] += not place.shrank and place.of["live"] >= 2
    pairs = sorted(m.pairs.items(), key=lambda p: (-p[1][0], p[0]))
    for (a, b), (n, size) in pairs[:SHOWN]:
        key = f"{run.where(a)} {run.where(b)}"
        found[f"{key} pieces"], found[f"{key} bytes"] = n, size
    return found
