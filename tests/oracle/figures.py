"""The table of figures: each has its name, what is shown of it, and what is
true.  Both are functions of a few lines that return {key: value}; what differs
is told by name and key.

To add a figure: two functions, and a row in FIGURES (of a range, from the
viewer's words) or in REPORT (of the whole run, from monitorctl report)."""
import re
from collections import Counter, namedtuple

from events import CLASSES, LATE, ORPHAN, SHIFTED, SPANS
from truth import is_wait

Figure = namedtuple("Figure", "name shown true")

# What is known to be wrong: a figure's name and key, and the finding of issue
# 14 that is about it.  Such figures are compared and counted, and fail nothing;
# a line goes with the mend.
WRONG = [
    (r"functions (deep|recursive|even_one|odd_one|nested) ns", "A1"),
    (r"(functions|calls) .*\bdeep\b.*", "A3"),
    (r"activity .* spans", "A3"),
    (r"(functions|calls) .*(inner|suspended|meanwhile|small|worker|share).*",
        "A4"),
    (r"report threads .* states call", "A4"),
    # a call that goes on when the phase that it began in is over
    (r"(functions|calls) .*(late|odd_all) (ns|self)", "A4"),
    # calls that are open at the end of what is known
    (r"functions (main|half_way) .*", "A3"),
    (r"tasks .*", "A20"),
]

STATE_WORDS = {"running": "running", "overhead": "overhead",
    "waits for a message": "wait_message", "waits for a lock": "wait_lock",
    "waits for others": "wait_sync", "waits for a remote call": "wait_rpc",
    "events lost": "lost"}


class Range:
    """From a to b in monitor ns, up to the playback's head; what happens at the
    head or with the last event belongs to it."""

    def __init__(self, run, a, b, head=None):
        self.words = f"{a - run.origin}ns:{b - run.origin}ns"
        self.head = head
        self.a = max(a, run.first)
        self.b = min(b, run.last, *[] if head is None else [head])
        self.past = self.b + (self.b >= run.last or self.b == head)

    def __str__(self):
        return self.words


# --- of the run, whatever the range ---

def shown_run(w):
    found = {}
    for key in ("name", "events", "lost", "damaged", "finished", "length",
            "nodes", "processes"):
        found[key] = w.value(rf"{key}: (\S*)")[0]
    return found


def true_run(run, r):
    known = run.known
    return {"name": known.run["name"].decode(), "events": len(run.events),
        "lost": sum(e.a for e in run.events if e.kind == "lost"),
        "damaged": known.damaged,
        "finished": "yes" if known.receipt else "no",
        "length": max(run.last - run.first, 1000),
        "nodes": len(machines(run)),
        "processes": len({p for p in known.pos if p[0] != 0 and p[1] != 0})}


NODE = (r"  (.*): clock (\w+) \+-(\d+) ns(, not believed)?(, silent)?; lost "
    r"(\d+), late (\d+), orphans (\d+), before their cause (\d+), stalls "
    r"(\d+), steps (\d+)")


def shown_nodes(w):
    words = ("state bound wrong silent lost late orphans early stalls "
        "steps").split()
    found = {}
    for line in w.lines:
        m = re.fullmatch(NODE, line)
        if m:
            for word, value in zip(words, m.groups()[1:]):
                found[f"{m[1]} {word}"] = int(value) if value and \
                    value.isdigit() else value or ""
    return found


def machines(run):
    return [(n, name) for n, name in run.known.nodes.items() if n != 0]


def true_nodes(run, r):
    states = "unsynced coarse locked holdover stepped".split()
    found = {}
    for node, name in machines(run):
        clock = run.known.clocks.get(node, [{"state": 0, "error_ns": 0}])[-1]
        of = {"state": states[clock["state"]], "bound": clock["error_ns"]}
        told = [e for e in run.events if e.c == node and e.at == 0]
        kinds = Counter(e.kind for e in told)
        of["silent"] = ", silent" if kinds["stall"] > kinds["rejoin"] else ""
        of["wrong"] = ", not believed" if kinds["distrust"] > \
            kinds["trust"] else ""
        of["stalls"], of["steps"] = kinds["stall"], kinds["clock_step"]
        of["late"] = sum(e.a for e in told if e.kind == "late")
        here = [e for e in run.events if run.known.place(e.at)[0] == node]
        of["lost"] = sum(e.a for e in here if e.kind == "lost")
        of["orphans"] = sum(e.flags & ORPHAN != 0 for e in here)
        of["early"] = 0
        for key, value in of.items():
            found[f"{name} {key}"] = value
    return found


# --- lanes ---

def shown_lanes(w):
    kinds = w.value(r"  lanes: \d+ \((\d+) nodes, (\d+) POs, (\d+) threads, "
        r"\d+ depths, (\d+) objects, (\d+) locks\)")
    return dict(zip(("threads", "objects", "locks"), kinds[2:]))


def true_lanes(run, r):
    events = run.events
    return {"threads": sum(t[2] != 0 and t[0] != 0 for t in
            run.known.threads.values()),
        "objects": len({e.a for e in events if e.kind in ("object_create",
            "object_order", "object_obey", "object_depart", "object_arrive",
            "object_dispose")}),
        "locks": len({e.a for e in events if e.kind in ("lock_wait",
            "lock_acquire", "lock_release") and e.a != 0})}


# --- tasks ---

def shown_tasks(w):
    tasks, trees = w.value(r"  tasks: (\d+)(?: of a subtree)?, trees in the "
        r"log: (\d+)") or (0, 0)
    found = {"tasks": tasks, "trees": trees}
    if tasks == 0:
        return found
    found["deepest"] = w.value(r"  deepest level: (\d+)")[0]
    found["nodes"] = sum(w.value(r"  nodes: (\d+) drawn, (\d+) pruned, "
        r"(\d+) condensed")) + (w.value(r"  beside the window: (\d+)") or
        [0])[0]
    found["begun"], found["ended"] = w.value(r"  begun: (\d+), ended: (\d+)")
    found["suspended"], found["suspensions"] = w.value(
        r"  suspended: (\d+) tasks, (\d+) times")
    names = " ".join(map(str, w.value(r"  tasks by procedure: (.*)")))
    for m in re.finditer(r"(\S.*?) (\d+)(?: |$)", names):
        found["of " + m[1]] = int(m[2])
    for m in re.finditer(r"PE (\d+): (\d+)", w.value(
            r"  PEs used: \d+, (.*)")[0]):
        found["on PE " + m[1]] = int(m[2])
    return found


def true_tasks(run, r):
    tasks = [t for t in run.tasks.values() if t.seen]
    found = {"tasks": len(tasks), "nodes": len(tasks),
        "trees": sum(t.parent not in run.tasks for t in tasks),
        "deepest": max([run.level(t) for t in tasks], default=0),
        "begun": sum(t.begun is not False for t in tasks),
        "ended": sum(t.ended for t in tasks),
        "suspended": sum(t.suspensions > 0 for t in tasks),
        "suspensions": sum(t.suspensions for t in tasks)}
    for t in tasks:
        key = "of " + run.known.name(t.name)
        found[key] = found.get(key, 0) + 1
        if t.begun is not False:
            key = f"on PE {t.pe}"
            found[key] = found.get(key, 0) + 1
    return found if tasks else {"tasks": 0, "trees": 0}


# --- functions ---

def shown_functions(w):
    found = {}
    for name, calls, ns in w.below(r"procedures: ",
            r"  (.*): ~?(\d+) calls, ~?(-?\d+) ns"):
        found[f"{name} calls"] = calls
        found[f"{name} ns"] = ns
    return found


def true_functions(run, r):
    found = Counter()
    for t in run.threads.values():
        for (kind, name), times in t.names.items():
            calls, ns = times.begun(r.a, r.past), times.within(r.a, r.past)
            if name != 0 and (calls or ns):
                found[f"{run.known.name(name)} calls"] += calls
                found[f"{run.known.name(name)} ns"] += ns
    return dict(found)


# --- calls as a tree ---

class Way:
    """A path in words; what calls itself is told once, with how often."""

    def __init__(self, up=None, name=""):
        self.name, self.n, self.head = name, 1, ""
        if up is not None and up.name == name:
            self.n, self.head = up.n + 1, up.head
        elif up is not None and up.name:
            self.head = f"{up} > "

    def __str__(self):
        return self.head + self.name + (f" x{self.n}" if self.n > 1 else "")


def shown_calls(w):
    found, ways = Counter(), []
    for line in w.lines:
        m = re.fullmatch(r"  ( *)(.*): ~?(\d+) calls, ~?(-?\d+) ns, self "
            r"~?(-?\d+) ns, waits ~?(-?\d+) ns", line)
        if not m:
            continue
        level = len(m[1]) // 2
        ways[level:] = [Way(ways[level - 1], m[2]) if level else Way()]
        for what, n in zip(("calls", "ns", "self", "waits"),
                m.groups()[2:] if level else ()):
            found[f"{ways[level]} {what}"] += int(n)
    return found


def true_calls(run, r):
    found = Counter()
    todo = [(path, Way()) for t in run.threads.values() for path in
        t.root.below.values()]
    while todo:
        path, up = todo.pop()
        ns, calls = (of(r.a, r.past) for of in (path.times.within,
            path.times.begun))
        if not calls and not ns:
            continue
        way = Way(up, run.known.name(path.name) if path.name else
            {"serve": "remote call"}.get(path.kind, path.kind))
        below = path.below.values()
        found[f"{way} calls"] += calls
        found[f"{way} ns"] += ns
        found[f"{way} self"] += ns - sum(p.times.within(r.a, r.past) for p in
            below)
        found[f"{way} waits"] += path.waits.within(r.a, r.past)
        todo += [(p, way) for p in below]
    return found


# --- messages ---

def shown_messages(w):
    found = {}
    for a, b, n, size in w.below(r"messages between processes: ",
            r"  (.*) to (.*): ~?(\d+), ~?(\d+) bytes"):
        found[f"{a} to {b} messages"] = n
        found[f"{a} to {b} bytes"] = size
    return found


def true_messages(run, r):
    found = {}
    for _, taken, a, b, size in run.messages():
        if r.a <= taken < r.past:
            n, bytes = found.get((a, b), (0, 0))
            found[a, b] = n + 1, bytes + size
    # the sixteen with most messages, most bytes, and first by their numbers
    pairs = sorted(found.items(), key=lambda p: (-p[1][0], -p[1][1], p[0]))
    shown = {}
    for (a, b), (n, bytes) in pairs[:16]:
        a, b = (f"{run.known.node_name(p[0])}  {run.known.pos[p]}  "
            f"PO {p[1]}" for p in (a, b))
        shown[f"{a} to {b} messages"], shown[f"{a} to {b} bytes"] = n, bytes
    return shown


# --- activity ---

def shown_activity(w):
    found = {}
    for line in w.lines:
        m = re.fullmatch(r"activity of (.*): ~?(\d+) spans(.*)", line)
        if m:
            found[f"{m[1]} spans"] = int(m[2])
            for part in re.finditer(r", (\D+) (\d+) ns", m[3]):
                found[f"{m[1]} {STATE_WORDS[part[1]]}"] = int(part[2])
    return found


def true_activity(run, r):
    found = Counter()
    for node, name in machines(run):
        found[f"{name} spans"] = 0
    for t in run.threads.values():
        if t.place[0] == 0:
            continue
        name = run.known.node_name(t.place[0])
        found[f"{name} spans"] += sum(r.a <= x < r.b for x, what in t.listed)
        for state, times in t.states.items():
            ns = times.within(r.a, r.b)
            if state != "idle" and ns:
                found[f"{name} {state}"] += ns
    return dict(found)


FIGURES = [
    Figure("run", shown_run, true_run),
    Figure("node", shown_nodes, true_nodes),
    Figure("lanes", shown_lanes, true_lanes),
    Figure("tasks", shown_tasks, true_tasks),
    Figure("functions", shown_functions, true_functions),
    Figure("messages", shown_messages, true_messages),
    Figure("activity", shown_activity, true_activity),
]
CALLS = [Figure("calls", shown_calls, true_calls)]


# --- monitorctl report ---

def flat(found, above=""):
    """{"tasks total": 5, ...} of what is nested."""
    if isinstance(found, dict):
        parts = found.items()
    elif isinstance(found, list) and found and isinstance(found[0], dict):
        parts = ((" ".join(str(p[k]) for k in ("location", "name", "po", "pe",
            "from", "to") if k in p), p) for p in found)
    else:
        return {above: found}
    result = {}
    for key, value in parts:
        result.update(flat(value, f"{above} {key}".strip()))
    return result


def shown_report(y):
    return flat(y)


def report_run(run):
    run_of = run.known.run
    return {"name": run_of["name"].decode(),
        "finished": run.known.receipt is not None,
        "start_real_ns": run_of["start_real_ns"],
        "duration_ns": run.last - run.first,
        "damaged_bytes": run.known.damaged}


def report_events(run):
    kinds = Counter(e.kind for e in run.events)
    ids = {name: id for id, name in run.known.kinds.items()}
    flag = {name: sum(e.flags & bit != 0 for e in run.events) for name, bit in
        (("late", LATE), ("orphans", ORPHAN), ("shifted", SHIFTED))}
    return dict(flag, total=len(run.events), lost=sum(e.a for e in run.events
            if e.kind == "lost"), classes={of: sum(n for kind, n in
        kinds.items() if ids.get(kind) in numbers) for of, numbers in
        CLASSES.items()})


def report_tasks(run):
    tasks = [t for t in run.tasks.values() if t.seen]
    levels = Counter(run.level(t) for t in tasks)
    names, pes = {}, {}
    for t in tasks:
        of = names.setdefault(t.name, {"name": run.known.name(t.name),
            "tasks": 0, "suspensions": 0, "run_ns": 0})
        of["tasks"] += 1
        of["suspensions"] += t.suspensions
        of["run_ns"] += sum(t.ran.values())
        for at in [t.begun] if t.begun else []:
            pe_of(run, pes, at)["tasks"] += 1
        for at, ns in t.ran.items():
            pe_of(run, pes, at)["run_ns"] += ns
    for at, n in run.resumes.items():
        pe_of(run, pes, at)["resumed"] += n
    return {"total": len(tasks), "begun": sum(bool(t.begun) for t in tasks),
        "ended": sum(e.kind == "task_end" and e.a in run.tasks for e in
            run.events),
        "deepest_level": max(levels, default=0),
        "suspended": sum(t.suspensions > 0 for t in tasks),
        "suspensions": sum(t.suspensions for t in tasks),
        "levels": [levels[i] for i in range(max(levels, default=-1) + 1)],
        "procedures": list(names.values()), "pes": list(pes.values())}


def pe_of(run, pes, at):
    place, pe = at
    return pes.setdefault(at, {"po": f"{run.known.node_name(place[0])}/"
        f"{place[1]}", "pe": pe, "tasks": 0, "resumed": 0, "run_ns": 0})


def report_messages(run):
    sends = [e for e in run.events if e.kind == "send"]
    taken, pairs = run.messages(), {}
    receives = sum(e.kind == "receive" for e in run.events)
    for sent, t, a, b, size in taken:
        of = pairs.setdefault((a, b), {"from":
            f"{run.known.node_name(a[0])}/{a[1]}", "to":
            f"{run.known.node_name(b[0])}/{b[1]}", "messages": 0, "bytes": 0,
            "way_ns": 0})
        of["messages"] += 1
        of["bytes"] += size
        of["way_ns"] += t - sent
    return {"sent": len(sends), "received": receives,
        "unmatched": receives - len(taken), "bytes": sum(e.b for e in sends),
        "between_nodes": sum(a[0] != b[0] for s, t, a, b, n in taken),
        "pairs": list(pairs.values())}


def report_objects(run):
    kinds = Counter(e.kind for e in run.events)
    classes, ways, of, left = {}, Counter(), {}, {}
    word = {"object_create": "created", "object_depart": "moves",
        "object_arrive": "arrivals", "object_dispose": "disposed"}
    for e in run.events:
        if e.kind not in word:
            continue
        if e.kind == "object_create":
            of.setdefault(e.a, e.c)
        name = of.setdefault(e.a, 0)
        c = classes.setdefault(name, {"name": run.known.name(name) if name
            else "", "created": 0, "moves": 0, "arrivals": 0, "disposed": 0,
            "way_ns": 0})
        c[word[e.kind]] += 1
        node = run.known.place(e.at)[0]
        if e.kind == "object_depart":
            left[e.a] = e.t, node
        elif e.kind == "object_arrive" and e.a in left:
            t, source = left.pop(e.a)
            c["way_ns"] += e.t - t
            ways[source, node] += 1
    return {"moves": kinds["object_depart"], "arrivals":
        kinds["object_arrive"], "requests": kinds["object_request"],
        "orders": kinds["object_order"], "obeyed": kinds["object_obey"],
        "classes": list(classes.values()),
        "ways": [{"from": run.known.node_name(a), "to":
            run.known.node_name(b), "moves": n} for (a, b), n in
            ways.items()]}


def report_threads(run):
    threads = []
    for t in run.threads.values():
        node, po, thread, name = t.place
        where = f"{run.known.node_name(node)}/{po}.{thread}"
        states = {}
        for kind in SPANS[1:]:
            times = t.spans.get(kind)
            states[kind] = [0, 0] if times is None else \
                [times.sums[-1], len(times.began)]
        threads.append({"location": where if node else "monitord",
            "name": name, "events": t.events, "seen_ns": t.last - t.first,
            "states": states})
    return threads


def true_report(run, r):
    receipt = run.known.receipt
    found = {"run": report_run(run), "events": report_events(run)}
    if receipt:
        found["receipt"] = {k: receipt[k] for k in ("published", "stored",
            "lost", "late", "orphans", "unknown", "unattached",
            "unrecorded")}
    found.update(tasks=report_tasks(run), messages=report_messages(run),
        objects=report_objects(run), threads=report_threads(run))
    return flat(found)


REPORT = Figure("report", shown_report, true_report)
