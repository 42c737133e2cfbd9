"""classes.py BUILD LOG TOLD SOURCE: what the view Classes says of a run of
tests/apps/functions/classes.cc, held against what the compiler says of its
classes (TOLD), what its source has, and what the events of its log are."""
import os
import random
import re
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[0]), "..", "oracle"))
from events import Known, events
from shown import Viewer
from source import stacks_of
from truth import Run
from figures import Range

SUMS = (r"~?(\d+) calls, ran ~?(-?\d+) ns, waits ~?(\d+) ns, serves (\d+); "
    r"found (\d+) times, CPU (\d+) ns")
CLASS = (r"  (struct|class|union) (.*) \((.*):(\d+)\): (\d+) bytes, (\d+) "
    r"unused, (\d+) members, (\d+) functions: " + SUMS + "(.*)")
FUNCTION = r"    function (.*) \((.*):(\d+)\): " + SUMS
EDGE = r"    (has|points to|inherits) \w+ (.*), (\d+)"

# by who has read the source
OWN = {"entry": [], "table": ["table_find", "table_insert"], "journal": [],
    "store": ["store_serve"], "shape": ["shape::~shape"],
    "square": ["square::area", "square::~square"], "pair_of<int>": ["pair_is"],
    "either": []}
EDGES = {"entry": {"points to entry": 1}, "table": {"points to entry": 1, "has probe_mutex": 1},
    "store": {"has table": 1, "points to journal": 1},
    "square": {"inherits shape": 1}}
HOLES = {"table": (92, 4), "entry": (19, 5)}

wrong = []


def same(what, shown, true):
    if shown != true:
        wrong.append(f"{what}: {shown} is shown, true is {true}")


class Told:
    """The view's words."""

    def __init__(self, words):
        self.kinds, self.sums, self.edges, self.functions = {}, {}, {}, {}
        self.chosen, name = [], None
        for line in words.lines:
            if m := re.fullmatch(CLASS, line):
                name = m[2]
                self.kinds[name] = m
                self.sums[name] = [int(n) for n in m.groups()[8:14]]
                self.edges[name], self.functions[name] = {}, {}
            elif m := re.fullmatch(FUNCTION, line):
                self.functions[name][m[1], int(m[3])] = [int(n) for n in
                    m.groups()[3:]]
            elif m := re.fullmatch(EDGE, line):
                self.edges[name][f"{m[1]} {m[2]}"] = int(m[3])
            elif m := re.fullmatch(r"    at (-?\d+): (\d+) bytes, (.*)", line):
                self.chosen.append((int(m[1]), int(m[2]), m[3]))


def compiler(told, path):
    for line in open(path):
        name, size, members = line.split()
        m = told.kinds.get(name)
        same(f"{name}, its bytes", m and m[5], size)
        same(f"{name}, unused", m and int(m[6]), int(size) - int(members))


def source(told, path):
    lines = open(path).read().split("\n")
    for name, functions in OWN.items():
        m = told.kinds[name]
        at = lines[int(m[4]) - 1]
        same(f"{name}, its line", m[1] in at and name.split("<")[0] in at, True)
        same(f"{name}, functions", sorted(f for f, line in
            told.functions[name]), functions)
        same(f"{name}, edges", told.edges[name], EDGES.get(name, {}))
        same(f"{name}, a processor object", "processor object" in m[15],
            name == "store")


def true_sums(run, r):
    """By function and line: calls, ns without waits, waits, remote calls served
    around it or within it, samples, ns of CPU."""
    known, found = run.known, {}

    def of(name):
        key = known.names[name][0], known.first.get(name, known.names[name][2])
        return found.setdefault(key, [0] * 6)
    todo = [(p, None) for t in run.threads.values() for p in
        t.root.below.values()]
    while todo:
        path, up = todo.pop()
        todo += [(p, path) for p in path.below.values()]
        if path.kind == "serve" and up is not None and up.name in known.names:
            of(up.name)[3] += path.times.begun(r.a, r.past)
        if path.name not in known.names:
            continue
        below = sum(p.times.within(r.a, r.past) for p in path.below.values())
        sums = of(path.name)
        sums[0] += path.times.begun(r.a, r.past)
        sums[1] += path.times.within(r.a, r.past) - below - \
            path.waits.within(r.a, r.past)
        sums[2] += path.waits.within(r.a, r.past)
    for e, names in stacks_of(run):
        if r.a <= e.t < r.past and names and names[0] in known.names:
            sums = of(names[0])
            sums[4] += 1
            sums[5] += e.b
    return found


def figures(run, told, r):
    true = true_sums(run, r)
    for name in OWN:
        total = [0] * 6
        for key, sums in told.functions[name].items():
            want = true.get(key, [0] * 6)
            same(f"{key[0]} in {r}", sums, want)
            total = [a + b for a, b in zip(total, want)]
        same(f"{name} in {r}", told.sums[name], total)
    return sum(any(told.sums[name]) for name in OWN)


build, log, sizes, cc = sys.argv[1:]
run = Run(Known(log), events(f"{build}/tools/monitorctl", log))
chance = random.Random(4)
ranges = [Range(run, run.first, run.last)]
for i in range(20):
    a, b = sorted(chance.choice(run.events).t for i in range(2))
    ranges.append(Range(run, a, b))
script = ["wait read", "put Classes left", "classes table"]
for r in ranges:
    script += [f"select-range {r}", "describe"]
script += ["classes entry", "describe", "quit"]
with tempfile.TemporaryDirectory() as home:
    words = Viewer(f"{build}/viewer/viewer", log, ["--no-cache"],
        home).describe(script)
told = [Told(w) for w in words]
compiler(told[0], sizes)
if not wrong:
    source(told[0], cc)
    seen = sum(figures(run, t, r) for t, r in zip(told, ranges))
    same("store serves", told[0].sums["store"][3] > 0, True)
    same("ranges with anything in them", seen > len(ranges), True)
    for t, name in (told[0], "table"), (told[-1], "entry"):
        at, size = HOLES[name]
        same(f"hole of {name}", [c for c in t.chosen if c[2] == "unused"],
            [(at, size, "unused")])
        same(f"members of {name}", len(t.chosen) - 1,
            int(t.kinds[name][7]))
print("\n".join(wrong))
sys.exit(bool(wrong))
