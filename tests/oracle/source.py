"""Lines of the program's sources: how often threads were found in each, and what
was called that is declared there."""
import re
from collections import Counter, defaultdict


def same_file(a, b):
    """One is the other, or what it ends with."""
    def ends(whole, end):
        while end.startswith("./"):
            end = end[2:]
        return end != "" and not end.startswith("/") and \
            whole.endswith("/" + end)
    return a == b or ends(a, b) or ends(b, a)


def files(run):
    """Each file that the log tells of, as its first name has it."""
    found = []
    for number in sorted(run.known.names):
        _, file, line = run.known.names[number]
        if file and line and not any(same_file(file, f) for f in found):
            found.append(file)
    return found


def lines_of(run, file):
    """{name: line} of the program whose name of that file comes first."""
    known, lines, program = run.known, {}, None
    for number in sorted(known.names):
        _, of, line = known.names[number]
        if not of or not line or not same_file(of, file):
            continue
        whose = known.programs.get(number, "")
        if program is None:
            program = whose
        if not program or not whose or whose == program:
            lines[number] = line
    return lines


def stacks_of(run):
    """Each sample with the names on its stack, innermost first."""
    stacks = {}
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sample_stack":
            stacks[place, e.a] = e.b, e.c
        elif e.kind == "sample_found":
            number, names = e.c, []
            while number and (place, number) in stacks:
                number, name = stacks[place, number]
                names.append(name)
            yield e, names


SOURCE = r"source: (.*):\d+(?:, .*)?"
LINE = (r"  line (\d+): (\d+) samples, (\d+) ns; within (\d+), (\d+) ns"
    r"(?:; ~?(\d+) calls, ~?(\d+) ns, waits ~?(\d+) ns)?")
WORDS = "samples", "self", "within", "total", "calls", "ns", "waits"


def shown_source(w):
    if any(re.match("source: adding up", line) for line in w.lines):
        return None  # not known yet, and it says so
    found = {}
    for line in w.lines:
        if m := re.fullmatch(SOURCE, line):
            found["file"] = m[1]
        elif m := re.fullmatch(LINE, line):
            for word, n in zip(WORDS, m.groups()[1:]):
                found[f"{m[1]} {word}"] = int(n or 0)
    return found


def true_source(run, r):
    lines = lines_of(run, r.file)
    found = defaultdict(Counter)
    for e, names in stacks_of(run):
        if not r.a <= e.t < r.past:
            continue
        on = [lines.get(name) for name in names]
        if on and on[0]:
            found[on[0]].update(samples=1, self=e.b)
        for line in set(on) - {None}:
            found[line].update(within=1, total=e.b)
    for t in run.threads.values():
        for (kind, name), times in t.names.items():
            if name in lines:
                found[lines[name]].update(calls=times.begun(r.a, r.past),
                    ns=times.within(r.a, r.past))
    add_waits(run, r, lines, found)
    words = {f"{line} {word}": n for line, of in found.items() for word, n in
        of.items()}
    words["file"] = r.file
    return words


def add_waits(run, r, lines, found):
    """Each wait counts once for every function that it lies in."""
    todo = [(path, frozenset()) for t in run.threads.values() for path in
        t.root.below.values()]
    while todo:
        path, within = todo.pop()
        within |= {(path.kind, path.name)}
        todo += [(p, within) for p in path.below.values()]
        ns = path.waits.within(r.a, r.past)
        for kind, name in within if ns else ():
            if name in lines:
                found[lines[name]]["waits"] += ns
