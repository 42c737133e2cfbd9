"""Which function called which, how often and how long, also with a processor: of
all threads, or of those of a row."""
import csv
import os
import re
from collections import Counter

from scheduler import Cpu
from spans import who
from truth import function_words


def shown_callers(w):
    if not w.value(r"callers: (\d+)"):
        return None  # not known, or about, and it says so
    found = {}
    for line in w.lines:
        m = re.fullmatch(r"  (.*) > (.*): (\d+) calls, (-?\d+) ns, self (-?\d+) "
            r"ns, waits (-?\d+) ns, mean (-|\d+)(?: ns)?, min (-|\d+)(?: ns)?"
            r"(?:, CPU (-?\d+) ns)?(; circle \d+)?", line)
        if m:
            key = f"{m[1]} > {m[2]}"
            found[f"{key} calls"], found[f"{key} ns"] = int(m[3]), int(m[4])
            found[f"{key} self"], found[f"{key} waits"] = int(m[5]), int(m[6])
            found[f"{key} mean"], found[f"{key} min"] = m[7], m[8]
            found[f"{key} CPU"] = m[9] and int(m[9])
            found[f"{key} in a circle"] = m[10] is not None
    return {**found, **getattr(w, "table", {})}


def true_callers(run, r):
    return callers_of(run, r, run.threads.values())


def lasted(path, r):
    """Its calls that begin and end in the range; what goes on after a pause at
    the first instant begins there."""
    paused = path.kind == "task" or path.times.begun(r.a, r.a + 1) or all(
        e != r.a for b, e in path.times.over)
    return [e - b for b, e in path.times.over if
        (r.a < b or r.a == b and paused) and e < r.past]


def callers_of(run, r, threads):
    found, circular, cpu, unknown = Counter(), set(), Cpu(run), set()
    outer, over = Counter(), {}
    todo = [(p, (), t) for t in threads for p in t.root.below.values()]
    while todo:
        path, above, t = todo.pop()
        own = (path.kind, path.name)
        calls, ns = path.times.begun(r.a, r.past), path.times.within(r.a,
            r.past)
        below = sum(p.times.within(r.a, r.past) for p in path.below.values())
        todo += [(p, above + (own,), t) for p in path.below.values()]
        if calls == ns == 0:
            continue
        key = (function_words(run, *above[-1]) if above else "–") + " > " + \
            function_words(run, *own)
        found[f"{key} calls"] += calls
        found[f"{key} ns"] += 0 if own in above else ns
        found[f"{key} self"] += ns - below
        outer[key] += 0 if own in above else calls
        over.setdefault(key, []).extend(lasted(path, r))
        found[f"{key} waits"] += path.waits.within(r.a, r.past)
        found[f"{key} in a circle"] += 0
        if not cpu.known(t.at):
            unknown.add(f"{key} CPU")
        elif own not in above:
            found[f"{key} CPU"] += cpu.of(t.at, [(max(a, r.a), min(b, r.past))
                for a, b in path.times.past if a < r.past and b > r.a])
        if own in above:
            last = len(above) - 1 - above[::-1].index(own)
            circular |= {function_words(run, *f) for f in above[last:]}
    for key, ns in over.items():
        found[f"{key} min"] = str(min(ns)) if ns else "-"
        found[f"{key} mean"] = str(found[f"{key} ns"] // outer[key]) if \
            outer[key] else "-"
    for key in found:
        if key.endswith(" in a circle"):
            found[key] = key.removesuffix(" in a circle").split(" > ")[1] in \
                circular
    return {key: n for key, n in found.items() if key not in unknown}


class OfRow:
    """Asks for those of a row, also as a file, and says whose threads are meant."""

    def __init__(self, run, select, home):
        self.run, self.select, self.home = run, select, home
        self.rows, self.taken = len(run.threads) + len(run.known.pos), 0

    def each(self, r, i):
        return [f"try select-row {i % self.rows}", "callers row"] + \
            self.select(r, i) + [f"try export {self.path(i)} callers"]

    def path(self, i):
        return f"{self.home}/callers{i}.tsv"

    def table(self, i):
        """What the file says of each pair, in the units of its titles."""
        found = {}
        if os.path.exists(self.path(i)):
            with open(self.path(i), newline="") as f:
                for row in csv.DictReader(f, delimiter="\t",
                        quoting=csv.QUOTE_NONE):
                    found[f"{row['from']} > {row['to']} table"] = \
                        f"{row['calls']} {row['total ms']} {row['min µs']}"
            os.unlink(self.path(i))
        return found

    def take(self, r, i, words):
        known, of = self.run.known, words.value(r"callers: .*, of (.*)")
        r.threads = tuple(at for at, t in self.run.threads.items() if of and
            of[0] in (who(self.run, at), f"node {known.node_name(t.place[0])}",
            f"{known.pos.get(t.place[:2])}  PO {t.place[1]}, node "
            f"{known.node_name(t.place[0])}"))
        several = len(r.threads) > 1 and of[0] == who(self.run, r.threads[0])
        if not r.threads or several:  # of a depth, or of one of those of a name
            words.lines, r.threads = [], ()
        words.table = self.table(i) if r.threads else {}
        self.taken += len(r.threads)


def true_callers_of(run, r):
    threads = [run.threads[at] for at in r.threads]
    found = callers_of(run, r, threads) if threads else {}
    for key in [key.removesuffix(" calls") for key in found if
            key.endswith(" calls")]:
        least = found[f"{key} min"]
        found[f"{key} table"] = f"{found[f'{key} calls']} " + \
            f"{found[f'{key} ns'] / 1e6:.3f} " + \
            ("" if least == "-" else f"{int(least) / 1e3:.1f}")
    return found
