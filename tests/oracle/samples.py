"""Where a sampler found threads: of each function the processor time that
samples stand for, by itself and with what it called."""
import re
from collections import defaultdict
from functools import lru_cache


def frames(run, name):
    """The functions at a place, innermost first, each with its file of code."""
    known = run.known
    code, plus, _ = known.places.get(name, "").rpartition("+")
    code = code if plus else ""
    file = code.split("#")[0]
    return [(f, code) for f in known.compiled.get(name, [f"[{file}]" if file
        else "[no file]"])]


class Sample:
    def __init__(self, e, program, stack):
        self.e, self.program = e, program
        self.stack = stack  # of frames, innermost first; empty: not known


@lru_cache(1)
def samples_of(run):
    stacks, found = {}, []
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sample_stack":
            stacks[place, e.a] = e.b, e.c
        elif e.kind == "sample_found":
            number, path = e.c, []
            while (place, number) in stacks and number:
                number, name = stacks[place, number]
                path += frames(run, name)
            found.append(Sample(e, run.program(e.at), path))
    return found


def sums(samples):
    """{(function, program, code): [samples, self, within, total]}"""
    found = defaultdict(lambda: [0, 0, 0, 0])
    for s in samples:
        if s.stack:
            of = found[s.stack[0][0], s.program, s.stack[0][1]]
            of[0] += 1
            of[1] += s.e.b
        for function, code in set(s.stack):
            of = found[function, s.program, code]
            of[2] += 1
            of[3] += s.e.b
    return found


def report_samples(run):
    rates, order = {}, {}
    samples = samples_of(run)
    for e in run.events:
        if e.kind in ("sample_from", "sample_found"):
            order[run.known.place(e.at)] = 1
        if e.kind == "sample_from" and e.a:
            rates[run.known.place(e.at)] = e
    sampling = []
    for place in order:
        own = [s for s in samples if run.known.place(s.e.at) == place]
        e = rates[place]
        sampling.append({"po": f"{run.known.node_name(place[0])}/{place[1]}",
            "rate_hz": e.a, "kernel": e.b != 0, "samples": len(own),
            "nowhere": sum(not s.stack for s in own),
            "cpu_ns": sum(s.e.b for s in own),
            "known_by": run.known.name(e.c)})
    return {"sampling": sampling, "sampled": [{"name": name,
        "program": program, "code": code, "samples": n, "self_ns": self_ns,
        "within": within, "total_ns": total_ns} for (name, program, code), (n,
        self_ns, within, total_ns) in sums(samples).items()]}


# --- the viewer ---

SUMS = r"samples: (\d+), of (\d+) ns of processor time, nowhere (\d+)"
FOUND = (r"  found in (.*) \((\S*), (.*)\): (\d+) samples, (\d+) ns; within "
    r"(\d+), (\d+) ns")
WORDS = "samples", "self", "within", "total"


def shown_samples(w):
    found = {}
    for line in w.lines:
        if m := re.fullmatch(SUMS, line):
            found.update(zip(("all", "cpu", "nowhere"), map(int,
                m.groups())))
        elif m := re.fullmatch(FOUND, line):
            for word, n in zip(WORDS, m.groups()[3:]):
                found[f"{m[1]} {m[2]} {m[3]} {word}"] = int(n)
    return found


def true_samples(run, r):
    inside = [s for s in samples_of(run) if r.a <= s.e.t < r.past]
    found = {"all": len(inside), "cpu": sum(s.e.b for s in inside),
        "nowhere": sum(not s.stack for s in inside)}
    for (name, program, code), of in sums(inside).items():
        for word, n in zip(WORDS, of):
            found[f"{name} {code} {program} {word}"] = n
    return found
