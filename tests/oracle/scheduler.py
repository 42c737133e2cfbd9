"""What the scheduler did with threads, from its records: the state of a thread
at each nanosecond of its life."""
import re
from collections import Counter
from functools import lru_cache

KINDS = {"sched_in", "sched_out", "sched_new", "sched_gone"}


def state_after(e):
    if e.kind == "sched_in":
        return "running"
    return "ready" if e.kind == "sched_new" or e.c else "blocked"


@lru_cache(1)
def threads_of(run):
    """{(place, tid): (steps, end)}: steps are (from when, in which state)."""
    since, ended, threads, found = {}, {}, {}, {}
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sched_from":
            since[place] = e.t
        elif e.kind == "po_end":
            ended[place] = e.t
        elif e.kind in KINDS:
            threads.setdefault((place, e.a), []).append(e)
    for (place, tid), events in threads.items():
        steps = [(e.t, state_after(e)) for e in events]
        end = steps[-1][0]
        if events[0].kind == "sched_out":
            steps.insert(0, (since[place], "running"))
        if events[-1].kind == "sched_gone":
            steps.pop()
        else:
            end = max(end, ended.get(place, run.last))
        found[place, tid] = steps, end
    return found


def times(steps, end, a=None, b=None):
    """How long it was in each state between two instants."""
    found = {"running": 0, "ready": 0, "blocked": 0}
    for i, (t, state) in enumerate(steps):
        to = steps[i + 1][0] if i + 1 < len(steps) else end
        if a is not None:
            t, to = max(t, a), min(to, b)
        found[state] += max(to - t, 0)
    return found


def stays(steps, end, a, b):
    """How long it was in a state each time, as far as between two instants; one
    after another in the same state is one."""
    found, past, since = {}, None, 0
    steps = [s for i, s in enumerate(steps) if i + 1 == len(steps) or
        steps[i + 1][0] > s[0]]  # what it was in for no time
    for t, state in steps + [(end, None)]:
        if state == past:
            continue
        ns = min(t, b) - max(since, a)
        if past is not None and ns > 0:
            found.setdefault(past, []).append(ns)
        past, since = state, t
    return found


@lru_cache(1)
def processors(run):
    """{(place, tid): [(from when, on which)]}, whenever that was another."""
    since, found = {}, {}
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sched_from":
            since[place] = e.t
        if e.kind not in KINDS:
            continue
        all_along = (place, e.a) not in found and e.kind == "sched_out"
        on = found.setdefault((place, e.a), [])
        if e.kind in ("sched_in", "sched_out") and (not on or
                on[-1][1] != e.b):
            on.append((since[place] if all_along else e.t, e.b))
    return found


def report_scheduler(run):
    way, found = {}, []
    kinds = {}
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sched_from":
            way[place] = run.known.name(e.c)
        elif e.kind in KINDS:
            kinds.setdefault((place, e.a), []).append(e)
    for (place, tid), (steps, end) in threads_of(run).items():
        events = kinds[place, tid]
        found.append({"po": f"{run.known.node_name(place[0])}/{place[1]}",
            "id": tid, "life_ns": end - (steps[0][0] if steps else end),
            **{f"{s}_ns": n for s, n in times(steps, end).items()},
            "switches": sum(e.kind == "sched_in" for e in events),
            "moves": max(len(processors(run)[place, tid]) - 1, 0),
            "preempted": sum(e.kind == "sched_out" and e.c != 0 for e in
                events), "known_by": way[place]})
    return found


# --- the viewer ---

STATES = (r"  states of (\S+) thread (\d+): running (\d+) ns, ready (\d+) ns, "
    r"blocked (\d+) ns, created (-?\d+) ns, life (\d+) ns" + "".join(
    rf"; {s} (\d+) times, (\d+) to (\d+) ns" for s in ("running", "ready",
    "blocked")) + r"(?:; on CPU (\d+), (\d+) moves)?")


def shown_states(w):
    found = {}
    for line in w.lines:
        m = re.fullmatch(r"states: (\d+) threads, (\d+) not there in this time",
            line)
        if m:
            found["threads there"], found["not there"] = int(m[1]), int(m[2])
        m = re.fullmatch(STATES, line)
        if m:
            for i, state in enumerate(("running", "ready", "blocked",
                    "created", "life")):
                found[f"{m[1]} {m[2]} {state}"] = int(m[3 + i])
            for i, state in enumerate(("running", "ready", "blocked")):
                for k, what in enumerate(("times", "min", "max")):
                    found[f"{m[1]} {m[2]} {state} {what}"] = int(
                        m[8 + 3 * i + k])
            if m[17] is not None:
                found[f"{m[1]} {m[2]} CPU"] = int(m[17])
                found[f"{m[1]} {m[2]} moves"] = int(m[18])
    return found


def is_there(run, r, steps, end):
    first = steps[0][0] if steps else end
    whole = r.head is None and r.a <= run.first and r.b >= run.last
    return whole or (first < r.b and (end > r.a or first == end == r.a))


def true_states(run, r):
    there = [is_there(run, r, steps, end) for steps, end in
        threads_of(run).values()]
    found = {"threads there": sum(there), "not there": there.count(False)}
    for (place, tid), (steps, end) in threads_of(run).items():
        name = f"{run.known.node_name(place[0])}/{place[1]} {tid}"
        here = times(steps, end, r.a, r.b)
        for state, ns in here.items():
            found[f"{name} {state}"] = ns
        if sum(here.values()) > 0:
            found[f"{name} created"] = steps[0][0] - run.origin
            found[f"{name} life"] = sum(times(steps, end, steps[0][0],
                r.b).values())
            for state, ns in stays(steps, end, r.a, r.b).items():
                found[f"{name} {state} times"] = len(ns)
                found[f"{name} {state} min"] = min(ns)
                found[f"{name} {state} max"] = max(ns)
            on = [k for k in processors(run)[place, tid] if k[0] < r.b]
            if on:
                found[f"{name} CPU"] = on[-1][1]
                found[f"{name} moves"] = sum(t >= r.a for t, cpu in on[1:])
    return found


def shown_processors(w):
    found = {}
    for line in w.lines:
        m = re.fullmatch(r"  processor (\S+) (\d+): in use (\d+) ns, threads "
            r"(\d+), came (\d+)(?:, most (\d+) ns by thread \d+)?", line)
        if m:
            for word, n in zip(("in use", "threads", "came", "most"),
                    m.groups("0")[2:]):
                found[f"{m[1]} CPU {m[2]} {word}"] = int(n)
    return found


def true_processors(run, r):
    """Each thread's time on each, by its moves."""
    found = Counter()
    for (place, tid), (steps, end) in threads_of(run).items():
        on, ran = processors(run)[place, tid], Counter()
        for i, (t, cpu) in enumerate(on):
            until = on[i + 1][0] if i + 1 < len(on) else r.b
            a, b = max(t, r.a), min(until, r.b)
            if a < b:
                ran[cpu] += times(steps, end, a, b)["running"]
            key = f"{run.known.node_name(place[0])} CPU {cpu}"
            found[f"{key} came"] += i > 0 and r.a <= t < r.b
        for cpu, ns in ran.items():
            key = f"{run.known.node_name(place[0])} CPU {cpu}"
            found[f"{key} in use"] += ns
            found[f"{key} threads"] += ns > 0
            found[f"{key} most"] = max(found[f"{key} most"], ns)
    return {k: n for k, n in found.items() if n != 0}


# --- functions ---

class Cpu:
    """How long threads had a processor."""

    def __init__(self, run):
        self.run, self.threads = run, threads_of(run)
        self.since = {run.known.place(e.at): e.t for e in run.events if
            e.kind == "sched_from"}

    def known(self, at):
        return bool(self.threads) and self.run.known.place(at) in self.since \
            and self.run.known.tids.get(at, 0) != 0

    def of(self, at, stretches):
        place = self.run.known.place(at)
        steps, end = self.threads.get((place, self.run.known.tids.get(at, 0)),
            ([], 0))
        return sum(times(steps, end, a, b)["running"] for a, b in stretches)
