"""classmemory.py BUILD LOG: the bytes that the view Classes says functions of
tests/apps/functions/holds.cc have asked for, and those in use, held against the
events of the log, and what its source says of the whole run."""
import os
import random
import re
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[0]), "..", "oracle"))
from events import Known, events
from figures import Range
from shown import Viewer
from truth import Run

# by who has read the source: whose function it is, and what those ask for
OWN = {"shelf::shelf": "shelf", "shelf::more": "shelf", "ledger_open": "ledger"}
ASKED = {"shelf": 1000 + 3000 + 3 * 500, "ledger": 200}
KEPT = {"shelf": 1000 + 3 * 500, "ledger": 200}


def shown(words):
    found, name = Counter(), None
    for line in words.lines:
        if m := re.match(r"  (?:struct|class|union) (.*) \(.*\): \d+ bytes", line):
            name = m[1]
        elif m := re.match(r"    function (.*) \(", line):
            name = m[1]
        if name and (m := re.search(r"; asked for (\d+) bytes, (\d+) in use",
                line)):
            found[name, "asked"], found[name, "live"] = int(m[1]), int(m[2])
            name = None
    return +found


class Stacks:
    """Who asked for memory, by the names of places that are stacks."""

    def __init__(self, known):
        self.known, self.code = known, {}
        for number, levels in known.compiled.items():
            self.code[re.sub(r"#[^+]*", "", known.places[number])] = levels[0]

    def function(self, number):
        for part in self.known.names[number][0].split(" < "):
            if self.code.get(part) in OWN:
                return self.code[part]
        return None


def true(run, stacks, r):
    found, live = Counter(), {}
    for e in run.events:
        if e.t >= r.past:
            break
        at = run.known.place(e.at), e.a
        if e.kind == "mem_alloc":
            live[at] = e.b, stacks.function(e.c)
            if e.t >= r.a:
                found[live[at][1], "asked"] += e.b
        elif e.kind == "mem_given" and at in live:
            live[at] = e.b, live[at][1]
        elif e.kind == "mem_free":
            live.pop(at, None)
    for size, function in live.values():
        found[function, "live"] += size
    for (function, what), n in list(found.items()):
        found[OWN.get(function), what] += n
    return +Counter({k: n for k, n in found.items() if k[0] is not None})


def main():
    build, log = sys.argv[1:]
    run = Run(Known(log), events(f"{build}/tools/monitorctl", log))
    stacks, chance = Stacks(run.known), random.Random(5)
    ranges = [Range(run, run.first, run.last)]
    for i in range(20):
        a, b = sorted(chance.choice(run.events).t for i in range(2))
        ranges.append(Range(run, a, b + 50))
    script = ["wait read", "put Classes left"]
    for r in ranges:
        script += [f"select-range {r}", "describe"]
    with tempfile.TemporaryDirectory() as home:
        words = Viewer(f"{build}/viewer/viewer", log, ["--no-cache"],
            home).describe(script + ["quit"])
    wrong = [f"{r}: {shown(w)} is shown, true is {true(run, stacks, r)}" for
        w, r in zip(words, ranges) if shown(w) != true(run, stacks, r)]
    whole = shown(words[0])
    wrong += [f"{name}: {whole[name, 'asked']} bytes asked for, not {n}" for
        name, n in ASKED.items() if whole[name, "asked"] != n]
    wrong += [f"{name}: {whole[name, 'live']} bytes in use, {n} are kept" for
        name, n in KEPT.items() if not n <= whole[name, "live"] <= n + 100]
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
