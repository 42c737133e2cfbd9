"""Lines of the program's sources: how often threads were found in each, and what
was called that is declared there."""
import re
from collections import Counter, defaultdict
from functools import lru_cache


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


def declared(run, number):
    return run.known.first.get(number, run.known.names[number][2])


def functions(run, file):
    """Lines of that file in which functions are declared that were called or
    found."""
    lines = lines_of(run, file)
    return sorted({declared(run, n) for n in lines if declared(run, n)})


def names_at(run, file, line):
    """All names of the function that is declared there: those that have their
    text in common with the first."""
    here = [n for n in sorted(lines_of(run, file)) if
        line in (declared(run, n), run.known.names[n][2]) and declared(run, n)]
    first = [n for n in here if declared(run, n) == line] or here[-1:]
    if not first:
        return set()
    text, place = run.known.names[first[0]][0], declared(run, first[0])
    return {n for n in lines_of(run, run.known.names[first[0]][1]) if
        run.known.names[n][0] == text and declared(run, n) == place}


@lru_cache(1)
def stacks_of(run):
    """Each sample with the names on its stack, innermost first."""
    stacks, found = {}, []
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sample_stack":
            stacks[place, e.a] = e.b, e.c
        elif e.kind == "sample_found":
            number, names = e.c, []
            while number and (place, number) in stacks:
                number, name = stacks[place, number]
                names.append(name)
            found.append((e, names))
    return found


AT = r"    at (.*) in (.*): (\d+) samples, (\d+) ns"
BY = r"    by (.*), declared at (.*): ~?(\d+) calls, ~?(\d+) ns"
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
        elif m := re.fullmatch(AT, line):
            found[f"at {m[2]}", "samples"] = int(m[3])
            found[f"at {m[2]}", "ns"] = int(m[4])
        elif m := re.fullmatch(BY, line):
            for i, word in (3, "calls"), (4, "ns"):
                key = f"by {m[1]} {m[2]}", word
                found[key] = found.get(key, 0) + int(m[i])
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
    add_callers(run, r, words)
    return words


def add_callers(run, r, words):
    own, found = names_at(run, r.file, r.line), Counter()
    name = run.known.names
    for e, names in stacks_of(run):
        if not r.a <= e.t < r.past:
            continue
        for site in {above for n, above in zip(names, names[1:]) if n in own}:
            at = "at {1}:{2}".format(*name[site])
            found[at, "samples"] += 1
            found[at, "ns"] += e.b
    todo = [(path, 0, frozenset()) for t in run.threads.values() for path in
        t.root.below.values()]
    while todo:
        path, above, within = todo.pop()
        again = (path.kind, path.name) in within
        todo += [(p, path.name, within | {(path.kind, path.name)}) for p in
            path.below.values()]
        if path.name in own and above in name:
            text, file, line = name[above]
            by = f"by {text} {file or '?'}:{line}"
            found[by, "calls"] += path.times.begun(r.a, r.past)
            found[by, "ns"] += 0 if again else path.times.within(r.a, r.past)
    words.update(found)


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
