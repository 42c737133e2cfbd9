"""The table of figures: each has its name, what is shown of it, and what is
true.  Both are functions of a few lines that return {key: value}; what differs
is told by name and key.

To add a figure: two functions, and a row in one of the tables at the end.
Those of `monitorctl report` are in reported.py."""
import re
from collections import Counter, namedtuple

from callers import shown_callers, true_callers, true_callers_of
from counters import shown_counters, true_counters
from events import NAMED, ORPHAN
from samples import shown_samples, true_samples
from path import shown_path, shown_top, true_path, true_top
from scheduler import (Cpu, shown_processors, shown_states, true_processors,
    true_states)
from slowest import shown_slowest, true_slowest
from source import shown_source, true_source
from spans import shown_spans, true_spans, who
from memory import shown_memory, true_memory
from truth import SYNCS, function_words, is_wait

Figure = namedtuple("Figure", "name shown true")

# What is known to be wrong: a figure's name and key, and the finding of issue
# 14 that is about it.  Such figures are compared and counted, and fail nothing;
# a line goes with the mend.
WRONG = [
]

STATE_WORDS = {"running": "running", "overhead": "overhead",
    "waits for a message": "wait_message", "waits for a lock": "wait_lock",
    "waits for a condition": "wait_cond", "waits for others": "wait_sync",
    "waits for a remote call": "wait_rpc", "events lost": "lost",
    "idle, waits for work": "idle"}


class Range:
    """From a to b in monitor ns, up to the playback's head; what happens at the
    head or with the last event belongs to it."""

    def __init__(self, run, a, b, head=None):
        self.origin, self.head = run.origin, head
        self.words = f"{self.of(a)}:{self.of(b)}"
        self.a, self.end = max(a, run.first), b
        self.b = min(b, run.last, *[] if head is None else [head])
        self.past = self.b + (self.b >= run.last or self.b == head)

    def of(self, t):
        """As the viewer is told of a time."""
        return f"{t - self.origin}ns"

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


NODE = (r"  (.*): clock (\w+)(?: \+-(\d+) ns)?(, not believed)?(, silent)?; lost "
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
        r"\d+ depths, (\d+) objects, (\d+) locks, (\d+) conditions and the like\)")
    return dict(zip(("threads", "objects", "locks", "others"), kinds[2:]))


def true_lanes(run, r):
    events = run.events
    return {"threads": sum(t[2] != 0 and t[0] != 0 for t in
            run.known.threads.values()),
        "objects": len(objects_told(run)),
        "locks": len({e.a for e in events if e.kind in ("lock_wait",
            "lock_acquire", "lock_release") and e.a != 0}),
        "others": len(sync_names(run))}


# --- objects ---

def shown_objects(w):
    found = {}
    for line in w.lines:
        m = re.fullmatch(r"  .*: class (.*?)(?:; nickname (.*?))?; object "
            r"(0x\w+); home (.*?); (?:creator|made by) (.*?); where (.*?)"
            r"(?:, since .*?)?(?:; waits for (.*?), since .*?)?; hops (.*?); (?:came )?from (.*?)(?:; to (.*?))?"
            r"(?:; ordered by (.*))?", line)
        if m:
            found |= {f"{m[3]} {what}": m[i] for what, i in (("class", 1),
                ("nickname", 2), ("home", 4), ("creator", 5), ("on", 6),
                ("waits", 7), ("hops", 8), ("from", 9), ("to", 10),
                ("ordered", 11))}
    return found


NOT_OF_IT = "object_request", "object_order", "object_orders"
PLACED = "object_create", "object_depart", "object_arrive"


def objects_told(run):
    """{id: where is known by one of its events} of those that have a row, as
    they were first heard of."""
    found = {}
    for e in run.events:
        if e.kind.startswith("object_") and e.kind not in NOT_OF_IT:
            found[e.a] = found.get(e.a, False) or e.kind in PLACED
    return found


def object_name(run, id):
    """Its nickname, else its class and its number there, or of all."""
    made = [o for o in run.events if o.kind == "object_create"]
    name = next((o.c for o in made if o.a == id), None)
    nick = [o.c for o in run.events if o.kind == "object_nickname" and
        o.a == id]
    if nick:
        return run.known.name(nick[-1])
    rows = list(objects_told(run))
    if name is None:
        return f"object {rows.index(id)}" if id in rows else f"object 0x{id:x}"
    same = [o.a for o in made if o.c == name]
    return f"{run.known.name(name)} {same.index(id)}"


def maker(run, e, asked):
    """The object that has asked for it, else the thread, else who made it."""
    by = asked.get(e.b, e) if e.b else e
    if by is not e and by.a:
        return object_name(run, by.a)
    return speaker(run, by)


def orderer(run, e):
    """Who has given the order that e obeys."""
    for o in run.events:
        if o.kind == "object_orders" and o.b == e.b:
            return object_name(run, o.a)
    by = next((o for o in run.events if o.kind == "object_order" and
        o.b == e.b), None)
    return speaker(run, by) if by else "?"


def speaker(run, by):
    node, po = run.known.threads[by.at][:2]
    return (f"{run.label(by.at)}, {run.known.pos[node, po]} PO {po}, "
        f"node {run.known.node_name(node)}")


def true_objects(run, r):
    """As they are at the playback's head, or at the end."""
    t = run.last if r.head is None else r.head
    asked = {e.b: e for e in run.events if e.kind == "object_request"}
    found, obeyed = {}, {}
    nodes = {run.known.node_name(n) for n in run.known.nodes}
    for e in sorted(run.events, key=lambda e: e.t):
        if not e.kind.startswith("object_") or e.kind in NOT_OF_IT:
            continue
        of = found.setdefault(e.a, {"class": "?", "nickname": None,
            "home": "?", "creator": "?", "on": "not made yet", "hops": "?",
            "from": "-", "to": None, "ordered": None, "waits": None})
        here = run.known.node_name(run.known.place(e.at)[0])
        if e.kind == "object_nickname":
            of["nickname"] = run.known.name(e.c)
        elif e.kind == "object_obey":
            obeyed[e.a] = e
        elif e.kind == "object_create":
            of |= {"class": run.known.name(e.c), "home": here, "creator":
                maker(run, e, asked)}
        if e.t > t:
            continue
        if e.kind == "object_wait":
            if of["hops"] != "?" and of["on"] in nodes and not of["waits"]:
                of["waits"] = run.known.name(e.c)
        elif e.kind != "object_nickname" and e.kind != "object_obey":
            of["waits"] = None
        if e.kind == "object_create":
            of |= {"on": here, "hops": "0"}
        elif e.kind == "object_depart":
            of |= {"on": "on the way", "hops": str(e.b), "from": here, "to":
                run.known.name(e.c), "ordered": None}
            if e.a in obeyed:
                of["ordered"] = orderer(run, obeyed.pop(e.a))
        elif e.kind == "object_arrive":
            if of["on"] != "on the way":  # of that way nothing is told
                of |= {"from": "-", "ordered": None}
            of |= {"on": here, "hops": str(e.b), "to": None}
        elif e.kind == "object_dispose":
            of |= {"on": "nowhere, its life is over", "from": "-", "to": None,
                "ordered": None}
    for id, placed in objects_told(run).items():
        if not placed:
            found[id]["on"] = "not known"
    return {f"0x{id:x} {what}": value for id, of in found.items() for what,
        value in of.items()}


# --- tasks ---

def shown_tasks(w):
    tasks, trees = w.value(r"  tasks: (\d+)(?: of a subtree)?, trees in the "
        r"log: (\d+)") or (0, 0)
    found = {"tasks": tasks, "trees": trees}
    if tasks == 0:
        return found
    found["deepest"] = w.value(r"  deepest level: (\d+)")[0]
    found["nodes"] = sum(w.value(r"  nodes: (\d+) drawn, (\d+) pruned, "
        r"(\d+) condensed")) + sum((w.value(r"  " + what) or [0])[0] for what
        in (r"beside the window: (\d+)", r"summed by name: (\d+) tasks"))
    found["alone"], names = w.value(r"  trees of a single task: (\d+)"
        r"(?:, by name: (.*))?") or (0, "")
    for m in re.finditer(r"(\S.*?) (\d+)(?: |$)", str(names or "")):
        found["alone: " + m[1]] = int(m[2])
    found["begun"], found["ended"] = w.value(r"  begun: (\d+), ended: (\d+)")
    found["suspended"], found["suspensions"] = w.value(
        r"  suspended: (\d+) tasks, (\d+) times")
    by_name(w, found)
    for m in re.finditer(r"PE (\d+): (\d+)", w.value(
            r"  PEs used: \d+, (.*)")[0]):
        found["on PE " + m[1]] = int(m[2])
    if w.value(r"finished: (yes)"):  # until then it may have no numbers
        legend(w, found, "")
    return found


def legend(w, found, word):
    for name, n in re.findall(r"(?:^|; )(.*?) ([\d,]+)(?=;|$)",
            str((w.value(r"  legend: (.*)") or [""])[0])):
        found[f"legend {word}{name}"] = int(n.replace(",", ""))


def task_word(run, t):
    return run.known.name(t.name) if t.name else "unnamed"


def true_tasks(run, r):
    tasks = list(run.tasks.values())
    found = {"tasks": len(tasks), "nodes": len(tasks),
        "trees": sum(t.parent not in run.tasks for t in tasks),
        "deepest": max([run.level(t) for t in tasks], default=0),
        "begun": sum(t.begun is not False for t in tasks),
        "ended": sum(t.ended for t in tasks),
        "suspended": sum(t.suspensions > 0 for t in tasks),
        "suspensions": sum(t.suspensions for t in tasks)}
    parents = {t.parent for t in tasks}
    alone = [t for t in tasks if t.parent not in run.tasks and
        t.id not in parents]
    if found["trees"] > 1:
        found["alone"] = len(alone)
        for t in alone:
            key = "alone: " + task_word(run, t)
            found[key] = found.get(key, 0) + 1
    else:
        found["alone"] = 0
    for t in tasks:
        key = "of " + task_word(run, t)
        found[key] = found.get(key, 0) + 1
        if t.begun is not False:
            key = f"on PE {t.pe}"
            found[key] = found.get(key, 0) + 1
    if run.known.receipt:
        for pe in range(max([t.pe for t in tasks if t.begun is not False],
                default=-1) + 1):
            found[f"legend PE {pe}"] = found.get(f"on PE {pe}", 0)
    return found if tasks else {"tasks": 0, "trees": 0}


def by_name(w, found):
    names = " ".join(map(str, w.value(r"  tasks by procedure: (.*)") or []))
    for m in re.finditer(r"(\S.*?) (\d+)(?: |$)", names):
        found["of " + m[1]] = int(m[2])


def shown_tree(w):
    """One of the trees that have several tasks."""
    which = w.value(r"  shown: tree (\d+) of (\d+)")
    if which is None:
        return {}
    found = {"tree": which[0], "of all": which[1],
        "tasks": w.value(r"  tasks: (\d+)")[0],
        "deepest": w.value(r"  deepest level: (\d+)")[0]}
    by_name(w, found)
    return found


def true_tree(run, last):
    below = {}
    for t in run.tasks.values():
        below.setdefault(t.parent, []).append(t)
    roots = [t for t in run.tasks.values() if t.parent not in run.tasks and
        t.id in below]
    if not roots or sum(t.parent not in run.tasks for t in
            run.tasks.values()) == 1:
        return {}
    tasks = [roots[-1 if last else 0]]
    for t in tasks:
        tasks += below.get(t.id, [])
    found = Counter("of " + task_word(run, t) for t in tasks)
    return {"tree": len(roots) if last else 1, "of all": len(roots),
        "tasks": len(tasks), "deepest": max(run.level(t) for t in tasks),
        **found}


def shown_tasks_then(w):
    """At the head of a playback."""
    found = dict(zip(("tasks", "begun", "ended"), w.value(r"  by then: (\d+) "
        r"tasks, begun: (\d+), ended: (\d+)") or (0, 0, 0)))
    by_name(w, found)
    return found


def true_tasks_then(run, r):
    found = Counter()
    for t in run.tasks.values():
        told = [when for when in (t.spawn, t.begin) if when is not None]
        if not told or told[0] <= r.head:
            found["tasks"] += 1
            found["of " + task_word(run, t)] += 1
            found["begun"] += t.begin is not None and t.begin <= r.head
            found["ended"] += t.end is not None and t.end <= r.head
    return found


# --- functions ---

def shown_functions(w):
    if w.value(r"procedures: .*, adding up"):
        return None  # those of the range before, and it says so
    found = {}
    for name, calls, ns, waits, itself in w.below(r"procedures: ",
            r"  (.*): ~?(\d+) calls, ~?(-?\d+) ns, waits ~?(-?\d+) ns, "
            r"itself ~?(-?\d+) ns, suspended .*"):
        found[f"{name} calls"] = calls
        found[f"{name} ns"] = ns
        found[f"{name} waits"] = waits
        found[f"{name} itself"] = itself
    return found


def true_functions(run, r):
    found = Counter()
    for t in run.threads.values():
        for (kind, name), times in t.names.items():
            calls, ns = times.begun(r.a, r.past), times.within(r.a, r.past)
            if name != 0 and (calls or ns):
                own = function_words(run, kind, name)
                found[f"{own} calls"] += calls
                found[f"{own} ns"] += ns
    function_waits(run, r, found)
    return dict(found)


def shown_spread(w):
    if w.value(r"procedures: .*, adding up"):
        return None  # those of the range before, and it says so
    found = {}
    for name, *ns in w.below(r"procedures: ", r"  (.*): ~?\d+ calls, .*, "
            r"p50 ~?(-|\d+)(?: ns)?, p99 ~?(-|\d+)(?: ns)?, "
            r"CPU ~?(-|\d+)(?: ns)?, min .*"):
        for what, n in zip(("p50", "p99", "CPU"), ns):
            if n != "-":
                found[f"{name} {what}"] = n
    return found


def shown_itself(w):
    """Of a run that grows the time in a function itself may be an older one."""
    if w.value(r"procedures: .*, adding up"):
        return None
    found = {}
    for name, calls, total, least, ns, cpu, place in w.below(r"procedures: ",
            r"  (.*): ~?(\d+) calls, ~?(-?\d+) ns, .*, min ~?(-|\d+)(?: ns)?, self "
            r"(-|~?\d+)(?: ns)?, mean CPU ~?(-|\d+)(?: ns)?"
            r"(?:, defined at (.*))?"):
        found[f"{name} self"] = "not known" if ns == "-" or \
            str(ns).startswith("~") and w.value(r"procedures: .* so far") else \
            int(str(ns).lstrip("~"))
        for what, n in (("min", least), ("mean CPU", cpu)):
            if n != "-":
                found[f"{name} {what}"] = n
        if place and (calls or total):  # not only suspended
            found[f"{name} place"] = place
    return found


def true_itself(run, r):
    """Without what it called and its own waits; the shortest call that is over,
    of those that percentiles are of; of outermost calls that begin the mean
    time with a processor."""
    found, outer = Counter(), Counter()
    spread = true_spread(run, r, exact=True)
    todo = [(p, ()) for t in run.threads.values() for p in
        t.root.below.values()]
    while todo:
        path, above = todo.pop()
        own = path.kind, path.name
        todo += [(p, above + (own,)) for p in path.below.values()]
        calls, ns = path.times.begun(r.a, r.past), path.times.within(r.a,
            r.past)
        if path.name == 0 or not calls and not ns:
            continue
        words = function_words(run, *own)
        found[f"{words} self"] += ns - path.waits.within(r.a, r.past) - sum(
            p.times.within(r.a, r.past) for p in path.below.values())
        outer[words] += 0 if own in above else calls
        _, file, line = run.known.names.get(path.name, ("", "", 0))
        if file:
            found[f"{words} place"] = f"{file}:{line}"
    for words, n in outer.items():
        if n and f"{words} CPU" in spread:
            found[f"{words} mean CPU"] = spread[f"{words} CPU"] // n
    found.update({key: ns for key, ns in spread.items() if
        key.endswith(" min")})
    return dict(found)


def true_spread(run, r, exact=False):
    """Of a range those that begin and end in it, of the whole run all that are
    over; CPU time where it is known of all threads that were in it."""
    whole = r.head is None and r.a <= run.first and r.b >= run.last
    found, calls, cpu, there = {}, {}, Cpu(run), set()
    if whole:
        calls = run.over
    for t in run.threads.values():
        for key, times in t.names.items():
            if key[1] == 0:
                continue
            if not whole:
                # a call that only goes on at the first instant has begun
                # before; a task, and a call in it, may go on after a pause
                paused = key[0] == "task" or times.begun(r.a, r.a + 1) or \
                    all(e != r.a for b, e in times.over)
                calls.setdefault(key, []).extend(e - b for b, e in times.over
                    if (r.a < b or r.a == b and paused) and e < r.past)
            within = [(max(a, r.a), min(b, r.past)) for a, b in times.past if
                a < r.past and b > r.a]
            if not within and not times.begun(r.a, r.past):
                continue
            there.add(key)
            what = function_words(run, *key) + " CPU"
            if not cpu.known(t.at):
                found[what] = None
            elif found.get(what, 0) is not None:
                found[what] = found.get(what, 0) + cpu.of(t.at, within)
    for key in there:
        of = sorted(calls.get(key, []))
        for p in (50, 99):
            found[f"{function_words(run, *key)} p{p}"] = of[-(-len(of) * p //
                100) - 1] if of else None
        if exact and of:
            found[f"{function_words(run, *key)} min"] = of[0]
    return {key: ns for key, ns in found.items() if ns is not None}


def function_waits(run, r, found):
    """Those of all paths, and as often of the functions that each lies in."""
    todo = [(path, frozenset()) for t in run.threads.values() for path in
        t.root.below.values()]
    while todo:
        path, within = todo.pop()
        within |= {(path.kind, path.name)}
        todo += [(p, within) for p in path.below.values()]
        ns = path.waits.within(r.a, r.past)
        if ns == 0:
            continue
        if path.name:
            found[f"{function_words(run, path.kind, path.name)} itself"] += ns
        for kind, name in within:
            if name:
                found[f"{function_words(run, kind, name)} waits"] += ns


# --- calls of a name and a length, as found ---

def call_names(run):
    """Texts under which functions have run, and nothing that is suspended."""
    found = {run.known.name(s.name) for s in run.made if s.kind == "call"} - \
        {run.known.name(s.name) for s in run.made if s.kind == "task"}
    return sorted(t for t in found if t and '"' not in t)


def lasted(run, r, span):
    """So long it had been by then, the end of the run or the head."""
    now = run.last if r.head is None else r.head
    return min(now if span.over is None else span.over, now) - span.from_t


def shown_found(w):
    if w.value(r"found: nothing"):
        return {}
    n, ns, p50, p90, p99 = w.value(r"found: ~?(\d+) of .*; (\d+) ns; p50 (\d+) "
        r"ns, p90 (\d+) ns, p99 (\d+) ns")
    if re.match("found: ~", next(t for t in w.lines if t.startswith("found"))):
        return None  # some of it was given up, and it says so
    found = {"count": n, "ns": ns, "p50": p50, "p90": p90, "p99": p99}
    life = w.value(r"  begun (\d+), over (\d+); from (-?\d+) ns to (-?\d+) ns")
    if life:
        found |= dict(zip(("begun", "over", "first", "last"), life))
    for i, ns in w.below(r"  begun \d", r"  (\d+): .* ns, >?(\d+) ns; .*"):
        found[f"the {i}."] = ns
    once = w.value(r"  at once, of (\d+), from (-?\d+) ns to (-?\d+) ns in 16 "
        r"parts: (.*)")
    if once:
        found |= dict(zip(("at once", "at once from", "at once to"), once))
        found |= {f"at once, {i} mean": float(n) for i, n in
            enumerate(once[3].split())}
    return found


def at_once(run, r, spans):
    """In each 16th of the range, also behind the head, the mean of how many
    there were."""
    if r.end <= r.a or not spans or len(spans) > 10000:
        return {}
    true, part = {"at once": len(spans), "at once from": r.a - run.origin,
        "at once to": r.end - run.origin}, (r.end - r.a) / 16
    for i in range(16):
        a, b = r.a + i * part, r.a + (i + 1) * part
        true[f"at once, {i} mean"] = sum(max(0, min(b, s.from_t + lasted(run,
            r, s)) - max(a, s.from_t)) for s in spans) / part
    return true


def true_found(run, r):
    text, least = r.sought
    now = run.last if r.head is None else r.head
    spans = [s for s in run.made if run.known.name(s.name) == text and r.a <=
        s.from_t < r.past and lasted(run, r, s) > least]
    found = sorted((lasted(run, r, s) for s in spans), reverse=True)
    true = {"count": len(found), "ns": sum(found)}
    if spans:
        true |= {"begun": len(spans), "over": sum(s.over is not None and
            s.over <= now for s in spans), "first": min(s.from_t for s in
            spans) - run.origin, "last": max(min(now if s.over is None else
            s.over, now) for s in spans) - run.origin}
    for p in (50, 90, 99):
        true[f"p{p}"] = found[len(found) - -(-len(found) * p // 100)] if \
            found else 0
    true.update({f"the {i}.": ns for i, ns in enumerate(found[:16], 1)})
    return true | at_once(run, r, spans)


# --- locks: who waited, who held ---

LOCK_WORDS = re.compile(" (waited|longest wait|wait|taken|held|longest hold|in "
    "use|blamed|now|first used|last used|most|in one function|passed|unheard)$")


LOCK_SORTS = ("condition", "semaphore", "barrier", "collective", "idle")


def lock_row(key):
    """The row that it is of, and the sort of that."""
    row = LOCK_WORDS.sub("", key)
    sort = row.split(" ")[0]
    return row, sort if sort in LOCK_SORTS else "lock"


class Longest(dict):
    """Of each sort only so many are told, that were waited for longest."""
    TOLD = 256

    def listed(self, true):
        rows = dict(map(lock_row, set(self) - {"in vain"}))
        full = {sort for sort, n in Counter(rows.values()).items() if
            n >= self.TOLD}
        if not full:
            return true
        least, found = {}, {}
        for row, sort in rows.items():
            ns = self.get(f"{row} wait", 0)
            least[sort] = min(ns, least.get(sort, ns))
        for key, n in true.items():
            row, sort = lock_row(key)
            if key == "in vain" or sort not in full or row in rows or \
                    true.get(f"{row} wait", 0) > least[sort]:
                found[key] = n
        return found


def shown_locks(w):
    found = {}
    for line in w.lines:
        m = re.fullmatch(r"  lock (.*): waited (\d+), (\d+) ns, longest (\d+) "
            r"ns; taken (\d+), held (\d+) ns, longest (\d+) ns; in use (\d+) "
            r"ns; meanwhile (\d+) ns .*; now (.*); used from (\d+) to (\d+) ns",
            line)
        if m:
            words = ("waited", "wait", "longest wait", "taken", "held",
                "longest hold", "in use", "blamed", "now", "first used",
                "last used")
            for word, n in zip(words, m.groups()[1:]):
                if word != "now":
                    found[f"{m[1]} {word}"] = int(n)
                elif n:  # nothing is said of what was only counted
                    found[f"{m[1]} now"] = n
        m = re.fullmatch(r"  ((?:condition|semaphore|barrier|collective|idle) "
            r".*): waited (\d+), (\d+) ns, longest (\d+) ns; at most (\d+) at "
            r"once; (\d+) ns .*; used from (\d+) to (\d+) ns", line)
        if m:
            words = ("waited", "wait", "longest wait", "most",
                "in one function", "first used", "last used")
            for word, n in zip(words, m.groups()[1:]):
                found[f"{m[1]} {word}"] = int(n)
        m = re.fullmatch(r"  ((?:condition|semaphore) .*): waited .*?(?:; "
            r"passed without a wait (\d+))?; unheard (\d+); used from (\d+) to "
            r"(\d+) ns", line)
        if m:
            for word, n in zip(("passed", "unheard", "first used", "last used"),
                    m.groups()[1:]):
                if n is not None:
                    found[f"{m[1]} {word}"] = int(n)
    if not w.value(r"locks: (\d+)"):
        return None
    vain = w.value(r"  signals that nobody waited for: (~?\d+)")[0]
    found["in vain"] = vain if isinstance(vain, int) else "not known"
    return Longest(found)


def in_vain(run, r):
    """Signals while no thread's wait for that condition goes on, by the order
    of the log."""
    waits = {}
    for span in run.made:
        if span.event == "cond_wait":
            waits.setdefault(span.id, []).append((span.begin_n, span.over_n))
    return sum(e.b for e in run.events if e.kind == "cond_signalled" and
        r.a <= e.t < r.past) + sum(e.kind == "cond_signal" and r.a <= e.t < r.past and not any(
        a < n and (b is None or n < b) for a, b in waits.get(e.a, ()))
        for n, e in enumerate(run.events))


def overlap(r, a, b):
    return min(b, r.past, r.b) - max(a, r.a)


def most_at_once(waits):
    """So many of [a, b) lie over each other."""
    ends = sorted([(b, -1) for a, b in waits] + [(a, 1) for a, b in waits])
    n = most = 0
    for t, by in ends:
        n += by
        most = max(n, most)
    return most


class Between:
    """Who is lost has waited until its last event before, or until that was
    told: who waits at once is counted as it is told."""

    def __init__(self, least, most):
        self.least, self.most = least, most

    def __eq__(self, n):
        return self.least <= (n or 0) <= self.most

    def __str__(self):
        return f"{self.least} to {self.most}"


def use(found, r, row, a, b):
    """It is waited for, or held, in [a, b): when it was first and last."""
    begins, ns = r.a <= a < r.past, overlap(r, a, b)
    if not begins and ns <= 0:
        return
    first, last = f"{row} first used", f"{row} last used"
    a, b = (t - r.origin for t in (max(a, r.a), max(a, r.a) + max(ns, 0)))
    found[first] = min(found.get(first, a), a)
    found[last] = max(found.get(last, b), b)


def in_any(spans):
    """How much of the time one of [a, b) goes on."""
    ns, until = 0, 0
    for a, b in sorted(spans):
        ns += max(0, b - max(a, until))
        until = max(until, b)
    return ns


def sync_names(run):
    """{(sort, id): name and number}, of what has no holder."""
    names, numbers = {}, Counter()
    blocks = {e.a for e in run.events if e.kind in ("block_begin",
        "member_begin")}
    for e in run.events:
        sort = SYNCS.get(e.kind)
        if sort == "barrier" and e.a in blocks:
            continue  # that of a region is no thing of its own
        if sort is None or e.a == 0 or (sort, e.a) in names:
            continue
        word = run.known.name(e.c) if e.kind in NAMED and e.c else sort
        names[sort, e.a] = f"{word} {numbers[sort]}"
        numbers[sort] += 1
    return names


def true_syncs(run, r):
    found, names = Counter(), sync_names(run)
    waits, within = {}, {}
    for span in run.made:
        key = SYNCS.get(span.event), span.id
        if key not in names:
            continue
        a, b = span.from_t, ((r.head or run.last) if span.over is None else
            span.over)
        row = f"idle {names[key]} (idle)" if span.state == "idle" else \
            f"{key[0]} {names[key]}"
        found[f"{row} waited"] += r.a <= a < r.past
        use(found, r, row, a, b)
        ns = overlap(r, a, b)
        at, told, rows = waits.setdefault(key, ([], [], set()))
        if r.a <= a < r.past or ns > 0:
            rows.add(row)
        if overlap(r, a, span.told or b) > 0:
            told.append((max(a, r.a), min(span.told or b, r.past, r.b)))
        if ns <= 0:
            continue
        found[f"{row} wait"] += ns
        found[f"{row} longest wait"] = max(ns, found[f"{row} longest wait"])
        at.append((max(a, r.a), max(a, r.a) + ns))
        if span.state != "idle":
            within.setdefault(row, Counter())[span.within] += ns
    for at, told, rows in waits.values():
        least, most = most_at_once(at), most_at_once(told)
        for row in rows:
            found[f"{row} most"] = least if least == most else Between(least,
                most)
    for row, by in within.items():
        found[f"{row} in one function"] = max(by.values())
    return found


# In which row that has been done without a wait is counted, and as what.
COUNTED = {"lock_taken": ("lock", "taken"), "sem_passed": ("semaphore",
    "passed"), "sem_posted": ("semaphore", "unheard"), "cond_signalled":
    ("condition", "unheard")}


def add_counted(found, run, r, names):
    """names: of what has a lane, by sort and id."""
    for e in run.events:
        if e.kind not in COUNTED or not r.a <= e.t < r.past:
            continue
        sort, what = COUNTED[e.kind]
        row = names.get((sort, e.a), f"{sort} 0x{e.a:x}" if e.a else "others")
        found[f"{sort} {row} {what}"] += e.b
        use(found, r, f"{sort} {row}", e.t, e.t)


def lock_now(run, lock, t):
    """Who holds it, and how many wait, in words."""
    holders = sorted([(since, at) for ns, at, where, since in lock.holds if
        since <= t < since + ns] + [(since, at) for at, (n, since, where) in
        lock.held.items() if since <= t])
    word = ", ".join(run.label(at) for since, at in holders)
    if len(holders) > 1:
        word = f"{len(holders)}: {word}"
    elif not holders:
        word = "not told" if lock.is_untold(t) else "free"
    n = sum(s.event == "lock_wait" and s.id == lock.id and s.from_t <= t and
        (s.over is None or s.over > t) for s in run.made)
    return f"{word}, {n} wait" if n else word


def true_locks(run, r):
    found, names, blamed = true_syncs(run, r), {}, Counter()
    found["in vain"] = in_vain(run, r)
    locks = run.locks_with_rows()
    for i, lock in enumerate(locks):
        names[lock.id] = f"{lock.word(run)} {i}"  # as its row is
    for lock in locks:
        name, now = names[lock.id], r.head or run.last
        holds = [(since, since + ns, at) for ns, at, where, since in
            lock.holds] + [(since, run.last, at) for at, (n, since, where) in
            lock.held.items()]
        for a, b, at in holds:
            found[f"{name} taken"] += r.a <= a < r.past
            use(found, r, name, a, b)
            ns = overlap(r, a, b)
            if ns > 0:
                found[f"{name} held"] += ns
                found[f"{name} longest hold"] = max(ns,
                    found[f"{name} longest hold"])
        found[f"{name} in use"] = in_any((max(a, r.a), max(a, r.a) +
            overlap(r, a, b)) for a, b, _ in holds if overlap(r, a, b) > 0)
        for span in run.made:
            if span.event != "lock_wait" or span.id != lock.id:
                continue
            a, b = span.from_t, now if span.over is None else span.over
            found[f"{name} waited"] += r.a <= a < r.past
            use(found, r, name, a, b)
            ns = overlap(r, a, b)
            if ns <= 0:
                continue
            found[f"{name} wait"] += ns
            found[f"{name} longest wait"] = max(ns,
                found[f"{name} longest wait"])
            for c, d, at in holds:
                both = min(overlap(r, max(a, c), min(b, d)), min(b, d) -
                    max(a, c))
                if both > 0:
                    blamed[name, at] += both
    counted = Counter()
    add_counted(counted, run, r, {**sync_names(run), **{("lock", id): name for
        id, name in names.items()}})
    for (sort, _), name in sync_names(run).items():
        # so many waited at once is said in each of its rows
        most = found.get(f"idle {name} (idle) most")
        if most and (f"{sort} {name} unheard" in counted or
                f"{sort} {name} passed" in counted):
            found[f"{sort} {name} most"] = most
    for key, n in counted.items():
        key = key.removeprefix("lock ")
        found[key] = min(n, found.get(key, n)) if key.endswith("first used") \
            else max(n, found.get(key, n)) if key.endswith("last used") else \
            n + found.get(key, 0)
    for (name, at), ns in blamed.items():
        found[f"{name} blamed"] = max(ns, found[f"{name} blamed"])
    for lock in locks:
        name = names[lock.id]
        if f"{name} first used" in found:
            found[f"{name} now"] = lock_now(run, lock, run.last if r.head is
                None else r.head)
    return dict(found)


def shown_locks_now(w):
    found = shown_locks(w)
    for key in [key for key in found or () if not key.endswith(" now")]:
        del found[key]
    return found


def true_locks_now(run, r):
    return {key: word for key, word in true_locks(run, r).items() if
        key.endswith(" now")}


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
            r"~?(-?\d+) ns, waits ~?(-?\d+) ns, itself ~?(-?\d+) ns", line)
        if not m:
            continue
        level = len(m[1]) // 2
        ways[level:] = [Way(ways[level - 1], m[2]) if level else Way()]
        for what, n in zip(("calls", "ns", "self", "waits", "itself"),
                m.groups()[2:] if level else ()):
            found[f"{ways[level]} {what}"] += int(n)
    return found


def true_calls(run, r):
    found, seen = Counter(), []
    todo = [(path, Way(), None) for t in run.threads.values() for path in
        t.root.below.values()]
    while todo:
        path, up, above = todo.pop()
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
        seen.append([way, above, path.waits.within(r.a, r.past)])
        found[f"{way} itself"] += seen[-1][2]
        todo += [(p, way, len(seen) - 1) for p in below]
    # and of all that it called, which stands behind it
    for way, above, waits in reversed(seen):
        found[f"{way} waits"] += waits
        if above is not None:
            seen[above][2] += waits
    return found


# --- paths of calls as frames ---

def shown_flame(w):
    if not w.value(r"flame: (\d+) frames"):
        return None  # not known, or about, and it says so
    found, ways = Counter(), []
    for line in w.lines:
        m = re.fullmatch(r"  (\d+) (.*): (\d+) calls, (-?\d+) ns, self (-?\d+) "
            r"ns, waits (-?\d+) ns(?:, CPU (-?\d+) ns)?(; the root)?", line)
        if not m:
            continue
        level = int(m[1])
        ways[level - 1 :] = [Way(ways[level - 2] if level > 1 else Way(), m[2])]
        for what, n in zip(("calls", "ns", "self", "itself"), m.groups()[2:6]):
            found[f"{ways[-1]} {what}"] += int(n)
    found["all"] = w.value(r"flame: \d+ frames, (\d+) ns")[0]
    return found


def true_flame(run, r):
    found = Counter()
    todo = [(path, Way()) for t in run.threads.values() for path in
        t.root.below.values()]
    while todo:
        path, up = todo.pop()
        ns, calls = (of(r.a, r.past) for of in (path.times.within,
            path.times.begun))
        if not calls and not ns:
            continue
        way = Way(up, function_words(run, path.kind, path.name))
        found["all"] += 0 if up.name else ns
        below = path.below.values()
        found[f"{way} calls"] += calls
        found[f"{way} ns"] += ns
        found[f"{way} self"] += ns - sum(p.times.within(r.a, r.past) for p in
            below)
        found[f"{way} itself"] += path.waits.within(r.a, r.past)
        todo += [(p, way) for p in below]
    return found


# --- messages ---

def shown_messages(w):
    found = {}
    for a, b, n, size, ns in w.below(r"messages between processes: ",
            r"  (.*) to (.*): ~?(\d+), ~?(\d+) bytes, on the way ~?(-?\d+) "
            r"ns"):
        found[f"{a} to {b} messages"] = n
        found[f"{a} to {b} bytes"] = size
        found[f"{a} to {b} on the way"] = ns
    return found


def place_name(run, place):
    return (f"{run.known.node_name(place[0])}  {run.known.pos[place]}  "
        f"PO {place[1]}")


def true_messages(run, r):
    found = {}
    for sent, taken, a, b, size in run.messages():
        if r.a <= taken < r.past:
            n, bytes, ns = found.get((a, b), (0, 0, 0))
            found[a, b] = n + 1, bytes + size, ns + taken - sent
    # the sixteen with most messages, most bytes, and first by their numbers
    pairs = sorted(found.items(), key=lambda p: (-p[1][0], -p[1][1], p[0]))
    shown = {}
    for (a, b), (n, bytes, ns) in pairs[:16]:
        a, b = (place_name(run, p) for p in (a, b))
        shown[f"{a} to {b} messages"], shown[f"{a} to {b} bytes"] = n, bytes
        shown[f"{a} to {b} on the way"] = ns
    return shown


PHASES = "setup", "remote", "return", "whole"


def shown_remote(w):
    found = {}
    for a, b, rest in w.below(r"remote calls between processes: ",
            r"  (.*) to (.*): (setup .*)"):
        for m in re.finditer(r"(\w+) ~?(\d+) in ~?(-?\d+) ns", rest):
            found[f"{a} to {b} {m[1]}"] = int(m[2])
            found[f"{a} to {b} {m[1]} ns"] = int(m[3])
    return found


def true_remote(run, r):
    """Each phase counts when it is over."""
    found = {}
    for phase, over, a, b, ns in run.remote_calls():
        if r.a <= over < r.past:
            of = found.setdefault((a, b), {p: [0, 0] for p in PHASES})
            of[phase][0] += 1
            of[phase][1] += ns
    pairs = sorted(found.items(), key=lambda p: (-sum(n for n, _ in
        p[1].values()), -p[1]["whole"][1], p[0]))
    shown = {}
    for (a, b), of in pairs[:16]:
        a, b = (place_name(run, p) for p in (a, b))
        for phase, (n, ns) in of.items():
            shown[f"{a} to {b} {phase}"] = n
            shown[f"{a} to {b} {phase} ns"] = ns
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
            talk = re.search(r"; talk per running (\S+)", m[3])
            found[f"{m[1]} talk"] = talk and talk[1]
    return found


def shown_lives(w):
    return {f"{m[1]} {word}": int(m[i]) for m in (re.fullmatch(
        r"  (processes|threads): (\d+) begun, (\d+) ended, (\d+) alive", line)
        for line in w.lines) if m
        for i, word in ((2, "begun"), (3, "ended"), (4, "alive"))}


def true_lives(run, r):
    """Until the end of the range; a process lives while a thread of it does."""
    found = {}
    begun = [t for t in run.threads.values() if t.first <= r.b and
        t.place[0] != 0 and t.place[2] != 0]
    alive = [t for t in begun if t.end is None or t.end > r.b]
    for word, key in (("threads", lambda t: t.at),
            ("processes", lambda t: t.place[:2])):
        a, b = len(set(map(key, begun))), len(set(map(key, alive)))
        found.update({f"{word} begun": a, f"{word} ended": a - b,
            f"{word} alive": b})
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
    for node, name in machines(run):
        ran = found[f"{name} running"]
        if ran:
            found[f"{name} talk"] = "%.3f" % ((found[f"{name} wait_message"] +
                found[f"{name} wait_rpc"]) / ran)
    return dict(found)


# --- over time, and at an instant ---

def shown_traffic(w):
    all_of = w.value(r"traffic: (\d+) messages sent, (\d+) bytes, in flight "
        r"(\d+) ns")
    if not all_of:
        return None  # single messages are gone, and it says so
    found = dict(zip(("sent", "bytes", "in flight"), all_of))
    for name, messages, calls in w.below(r"traffic: ", r"  waiting for (.*): "
            r"messages (\d+) ns, calls (\d+) ns"):
        found[f"{name} messages"], found[f"{name} calls"] = messages, calls
    return found


FOR_EVER = 1 << 62


def ways(run, first, last):
    """(event, its effect or None) of each that has an id."""
    after = {e.a: e for e in run.events if e.kind == last}
    return [(e, after.get(e.a)) for e in run.events if e.kind == first and
        e.a != 0]


def true_traffic(run, r):
    if r.b <= r.a:
        return {}
    found = Counter()
    for first, last, what in (("send", "receive", "messages"), ("rpc_call",
            "rpc_begin", "calls")):
        for e, effect in ways(run, first, last):
            ns = min(r.b, effect.t if effect else FOR_EVER) - max(r.a, e.t)
            ns = max(0, ns)
            if effect:
                to = place_name(run, run.known.place(effect.at))
                found[f"{to} {what}"] += ns
            if first == "send":
                found["in flight"] += ns
                found["sent"] += r.a <= e.t < r.b
                found["bytes"] += e.b if r.a <= e.t < r.b else 0
    return dict(found)


def shown_now(w):
    words = w.value(r"now: at -?\d+ ns, (\d+) messages in flight, calls: setup "
        r"(\d+), remote (\d+), return (\d+)")
    return dict(zip(("messages", "setup", "remote", "return"), words)) if \
        words else None


def true_now(run, r):
    """At r.a; who serves a call is in that span, and nobody knows it of who is
    lost."""
    found = Counter()
    for t in run.threads.values():
        stack = t.stack_at(r.a) if 0 not in t.place[:3] and t.lives(r.a) else []
        if not stack or stack[-1].kind != "lost":
            found["remote"] += sum(s.kind == "serve" for s in stack)
    for first, last, what in (("send", "receive", "messages"), ("rpc_call",
            "rpc_begin", "setup"), ("rpc_end", "rpc_return", "return")):
        for e, effect in ways(run, first, last):
            found[what] += e.t <= r.a and (effect is None or effect.t > r.a)
    return dict(found)


# --- a phase portrait: 64 parts of the range ---

PARTS = 64


def is_there(x):
    """Nothing, or what is nothing but for its last digit."""
    return x if x > 1e-6 else 0


def shown_portrait(w):
    if not w.value(r"portrait: (\d+) parts"):
        return None  # single states or messages are gone, and it says so
    found = {}
    for i, share, size in w.below("portrait: ", r"  part (\d+): (\S+) % of the "
            r"threads ran, (\S+) bytes in flight"):
        found[f"{i} share mean"] = is_there(float(share))
        found[f"{i} bytes mean"] = is_there(float(size))
    return found


def true_portrait(run, r):
    if r.b <= r.a:
        return {}
    long, found = (r.b - r.a) / PARTS, {}
    threads = [t for t in run.threads.values() if t.place[0] != 0 and
        t.place[1] != 0 and t.place[2] != 0]

    def part(a, b, i):
        """How much of the i-th lies in [a, b)."""
        x = r.a + i * long
        return max(0, min(b, x + long) - max(a, x)) / long

    lives = [(t.first, run.last + 1 if t.end is None else t.end) for t in
        threads]
    ran = [(a, b) for t in threads if "running" in t.states for a, b in
        t.states["running"].past if a < r.b and b > r.a]
    sent = [(e.t, effect.t if effect else FOR_EVER, e.b) for e, effect in
        ways(run, "send", "receive")]
    sent = [(a, b, size) for a, b, size in sent if a < r.b and b > r.a]
    for i in range(PARTS):
        alive = sum(part(a, b, i) for a, b in lives)
        if alive > 0:
            found[f"{i + 1} share mean"] = is_there(100 * sum(part(a, b, i)
                for a, b in ran) / alive)
            found[f"{i + 1} bytes mean"] = is_there(sum(size * part(a, b, i)
                for a, b, size in sent))
    return found


# --- gauges: the last 30 ms before an instant ---

def shown_meters(w):
    found = {}
    for name, *n in w.below("meters: ", r"  meter of (.*): (\d+) ns busy, (\d+) "
            r"ns waiting of (\d+) ns; ran (\d+) ns of (\d+) ns"):
        for what, ns in zip(("busy", "waiting", "threads", "ran", "life"), n):
            found[f"{name} {what}"] = ns
    return found or None  # single states are gone, and it says so


def true_meters(run, r):
    """Before r.a."""
    t0, t1, groups, found = max(run.first, r.a - 30000000), r.a, {}, Counter()
    for t in run.threads.values():
        node, po, thread = t.place[:3]
        if node != 0 and po != 0 and thread != 0:
            groups.setdefault((node, po), []).append(t)
    for place, threads in groups.items() if t1 > t0 else ():
        name = place_name(run, place)
        for t in threads:
            end = run.last if t.end is None else t.end
            life = max(0, min(end, t1) - max(t.first, t0))
            found[f"{name} threads"] += life
            for state, times in t.states.items() if life else ():
                ns = times.within(t0, t1)
                found[f"{name} busy"] += ns * (state == "running")
                found[f"{name} waiting"] += ns * is_wait(state)
        found[f"{name} ran"] = t1 - t0 - together(threads, t0, t1)[0]
        end = max(run.last if t.end is None else t.end for t in threads)
        found[f"{name} life"] = max(0, min(end, t1) - max(t0, min(t.first for
            t in threads)))
    return dict(found)


# --- how fast phases went ---

def shown_speed(w):
    found = {}
    if not any(line.startswith("speed: ") for line in w.lines):
        return None
    found["without"] = w.value(r"speed: \d+ phases, (\d+) without units.*")[0]
    work = [m.groups() for m in (re.fullmatch(r"  work: (\d+) units in (\d+) ns,"
        r" in phases (\d+) ns, rate (\S+), power (\S+)", line) for line in
        w.lines) if m]
    for m in work:
        found |= dict(zip(("units", "range", "phases", "rate", "power"), m))
    for line in w.lines:
        m = re.fullmatch(r"  speed of (.*): (\d+) times, (\d+) units, (\d+) ns",
            line)
        if m:
            for what, n in zip(("times", "units", "ns"), m.groups()[1:]):
                found[f"{m[1]} {what}"] = int(n)
    return found


def true_speed(run, r):
    found, work, long = Counter(), 0, 0
    for at, name, begin, end, units in run.phases:
        if not r.a <= end < r.past:
            continue
        if units == 0:
            found["without"] += 1
            continue
        node, po = run.known.threads[at][:2]
        name = run.known.name(name)
        for key in name, (f"{name} on {run.label(at)}, "
                f"{run.known.pos[node, po]} PO {po}, node "
                f"{run.known.node_name(node)}"):
            found[f"{key} times"] += 1
            found[f"{key} units"] += units
            found[f"{key} ns"] += end - begin
        work, long = work + units, long + end - begin
    return dict(found) | ({"units": str(work), "range": str(r.past - r.a),
        "phases": str(long), "rate": "%.6g" % (work * 1e9 / (r.past - r.a)),
        "power": "%.6g" % (work * 1e9 / long if long else 0)} if work else {})


# --- the machine: who is in which state, and what comes to it ---

def shown_machine(w):
    if any(re.match("machine: .* about right", line) for line in w.lines):
        return None  # single states are gone, and it says so
    found = {}
    for name, state, rest, to, away in w.below("machine: ", r"  (.*?): (.*?); "
            r"\d+ threads?(?:: )?(.*); on the way to it (\d+), from it (\d+)"):
        found |= {f"{name} state": state, f"{name} to": to,
            f"{name} from": away}
        for n, what in re.findall(r"(?:^|[,;] )(\d+) ([^,;]*(?:, waits for "
                r"work)?)", rest):
            found[f"{name} {what}"] = int(n)
    return found


def thread_state(t, at):
    """One that has not begun is unborn; one that is nothing else is idle."""
    if t.first > at:
        return "not yet"
    if t.end is not None and t.end <= at:
        return "ended"
    for state, times in t.states.items():
        if any(a <= at < b for a, b in times.past):
            return state
    return "idle"


def true_machine(run, r):
    """At r.a."""
    found = {}
    for t in run.threads.values():
        node, po, thread = t.place[:3]
        if node != 0 and po != 0 and thread != 0:
            found.setdefault((node, po), Counter())[thread_state(t, r.a)] += 1
    true = {f"{place_name(run, place)} state": "nothing is told of it" for
        place in run.known.pos if 0 not in place and place not in found}
    for place, states in found.items():
        name, words = place_name(run, place), dict(WAIT_WORDS, idle="idle")
        alive = {s: n for s, n in states.items() if s not in ("not yet",
            "ended")}
        busy = {s: n for s, n in alive.items() if s != "idle"}
        order = ("running overhead wait_message wait_lock wait_sync wait_rpc "
            "wait_cond lost").split()
        true[f"{name} state"] = "not yet" if not alive and states["not yet"] \
            else "ended" if not alive else "idle" if not busy else \
            "running" if "running" in busy else words[min(busy, key=lambda s:
            (-busy[s], order.index(s)))]
        for state, n in states.items():
            true[f"{name} {words.get(state, state)}"] = n
    for first, last in ("send", "receive"), ("rpc_call", "rpc_begin"):
        for e, effect in ways(run, first, last):
            if e.t > r.a or effect and effect.t <= r.a:
                continue
            ends = [("from", e)] + ([("to", effect)] if effect else [])
            for what, end in ends:
                key = f"{place_name(run, run.known.place(end.at))} {what}"
                true[key] = true.get(key, 0) + 1
    return true


# --- how many run at once ---

def shown_running(w):
    if not w.value(r"running: of (\d+) ns"):
        return None  # single states are gone, and it says so
    found = {}
    for name, ns, life in w.below(r"running: of ", r"  (.*): at least one "
            r"thread ran (\d+) ns of a life of (\d+) ns"):
        found[f"{name} ran"], found[f"{name} life"] = ns, life
    for k, ns in w.below(r"concurrency:", r"  exactly (\d+) threads ran: "
            r"(\d+) ns"):
        found[f"exactly {k}"] = ns
    return found


def together(threads, a, b):
    """{k: ns in which exactly k of them ran}"""
    edges, found, k, at = [], Counter(), 0, a
    for t in threads:
        for t0, t1 in t.states["running"].past if "running" in t.states else ():
            if t0 < b and t1 > a:
                edges += [(max(t0, a), 1), (min(t1, b), -1)]
    for t, by in sorted(edges) + [(b, 0)]:
        found[k] += t - at
        k, at = k + by, t
    return found


def true_running(run, r):
    if r.b <= r.a:
        return {}
    groups, all_threads = {}, []
    for t in run.threads.values():
        node, po = t.place[:2]
        if node == 0 or po == 0 or t.place[2] == 0:
            continue  # a word about a process, no thread of it
        name = run.known.node_name(node)
        all_threads.append(t)
        groups.setdefault(name, []).append(t)
        groups.setdefault(f"{name}  {run.known.pos[node, po]}  PO {po}",
            []).append(t)
    found = {f"exactly {k}": ns for k, ns in together(all_threads, r.a,
        r.b).items()}
    for name, threads in groups.items():
        found[f"{name} ran"] = r.b - r.a - together(threads, r.a, r.b)[0]
        first = min(t.first for t in threads)
        end = max(run.last if t.end is None else t.end for t in threads)
        found[f"{name} life"] = max(0, min(end, r.b) - max(first, r.a))
    return found


# --- stacks ---

WAIT_WORDS = {state: word for word, state in STATE_WORDS.items()}


def thread_name(run, at):
    return run.label(at)


def wait_words(run, span, t):
    if span.kind != "wait_lock" or span.id not in run.locks():
        return WAIT_WORDS[span.state]
    lock, same = run.locks()[span.id], []
    if lock.sort != "lock":
        return WAIT_WORDS[span.state]
    same = [k.id for k in run.locks_with_rows()]
    holder, which = lock.holder(t), f"{lock.word(run)} {same.index(lock.id)}"
    if holder is None and lock.is_untold(t):
        return f"waits for a lock: {which}, not told who holds it"
    where = holder and run.function_then(*holder[:2])
    return (f"waits for a lock: {which}, held by " + ("nobody" if holder is None else
        thread_name(run, holder[0]) + (f" in {where}" if where else "") + (f" and {holder[2]} more" if holder[2] else "")))


def shown_stacks(w):
    found = Counter()
    for where, words in w.below("stacks at ", r"  (.* PO \d+ .*?):(?: (.*))?"):
        if words == "?":  # only sums are left, and it says so
            return None
        found[f"{where}: {words}"] += 1
    return found


def true_stacks(run, r):
    """At r.a, each thread that lives then."""
    found = Counter()
    for t in run.threads.values():
        node, po, thread, _ = t.place
        if node == 0 or thread == 0 or not t.lives(r.a):
            continue
        spans = t.stack_at(r.a)
        words = [run.known.name(s.name) if s.name else "running" for s in
            spans if not is_wait(s.kind)]
        words += [wait_words(run, s, r.a) for s in spans if is_wait(s.kind)][
            -1:]
        if spans and spans[-1].kind == "lost":
            words = ["events lost"]
        elif all(is_wait(s.kind) for s in spans):
            words = t.said_at(r.a) + words
        found[f"{run.known.node_name(node)} PO {po} "
            f"{run.label(t.at)}: {' > '.join(words) or None}"] += 1
    return found


def shown_streaks(w):
    """Of what was given up it is only about so long, or not known; it says
    so."""
    found = Counter()
    for who, what, ns in w.below("streaks until",
            r"  (.*): (?:((?:not )?busy) (~?\d+) ns|not known)"):
        for state in [what] if what else ["busy", "not busy"]:
            key = f"{who}: {state}"
            if isinstance(ns, int) and found[key] != "not known":
                found[key] += ns
            else:
                found[key] = "not known"
    return dict(found)


def true_streaks(run, r):
    """Until r.a, or the last event, with what there was 1 ns before."""
    t, found = min(r.a, run.last), Counter()
    for at in run.threads.values():
        node, po, thread, name = at.place
        if node == 0 or thread == 0 or not at.lives(r.a) or at.first >= t:
            continue
        busy = sorted((a, min(b, t)) for state in ("running", "overhead") if
            state in at.states for a, b in at.states[state].past if a < t)
        begin, is_busy = busy[-1][1] if busy else at.first, False
        if begin == t:
            is_busy = True
            for a, b in reversed(busy):
                if b < begin:
                    break
                begin = a
        found[f"{run.known.node_name(node)} PO {po} "
            f"{run.label(at.at)}: {'' if is_busy else 'not '}busy"] \
            += t - begin
    return dict(found)


# --- what is worth a look ---

def shown_guide(w):
    n = w.value(r"guide: (~?\d+)")
    if n is None or not isinstance(n[0], int):
        return None  # single states were given up, and it says so
    return {"all": n[0]} | dict(w.below("guide: ", r"  guide (\w+): (.*?); .*"))


def true_guide(run, r):
    if r.b <= r.a:
        return {}
    ran, waits, lives, nodes = [], [], [], {}
    for t in run.threads.values():
        if t.place[0] == 0 or t.place[2] == 0:
            continue
        life = min(run.last + 1 if t.end is None else t.end, r.b) - \
            max(t.first, r.a)
        if life <= 0:
            continue
        spent = {state: times.within(r.a, r.b) for state, times in
            t.states.items()}
        ran.append(spent.get("running", 0))
        waits.append((sum(spent.get("wait_" + what, 0) for what in ("message",
            "lock", "sync", "rpc")), -len(waits), life))
        lives.append(life)
        of = nodes.setdefault(t.place[0], [0, 0])
        of[0], of[1] = of[0] + ran[-1], of[1] + life
    found, all_ran, all_life = {}, sum(ran), sum(lives)
    lost = sum(e.a for e in run.events if e.kind == "lost")
    if lost:
        found["lost"] = f"{lost} events"
    syncs = true_syncs(run, r)
    locks = [(ns, key.removesuffix(" wait")) for key, ns in true_locks(run,
        r).items() if re.search("(?<! longest) wait$", key) and key not in
        syncs]
    most = max(locks, default=(0, ""))
    if most[0] and most[0] >= all_life // 100:
        found["lock"] = f"{most[1]}, {most[0]} ns of {all_life} ns"
    ns, _, life = max(waits, default=(0, 0, 0))
    if ns and ns >= life // 2:
        found["waits"] = f"{ns} ns of {life} ns"
    running = sum(x > 0 for x in ran)
    if running >= 3 and max(ran) >= 2 * (all_ran // running):
        found["runs"] = f"{max(ran)} ns of {all_ran} ns of {running}"
    shares = sorted((100.0 * a / b, node) for node, (a, b) in nodes.items())
    if len(shares) > 1:
        a, b = nodes[shares[0][1]]
        others = all_ran - a, all_life - b
        rest = 100.0 * others[0] / others[1] if others[1] else 0
        if rest >= 5 and 2 * shares[0][0] <= rest:
            found["node"] = f"{run.known.node_name(shares[0][1])}, {a} ns of " \
                f"{b} ns, others {others[0]} ns of {others[1]} ns"
    return found | {"all": len(found)}


# --- what was last, as text ---

class Some(dict):
    """Of what is true only what has a time behind since is shown."""


def shown_text(w):
    if w.value(r"text: .* ns, some was given up") is not None:
        return None
    lines, found = list(w.below("text: ", r"  (-?\d+) ns (\w+) of (.*?: "
        r"(send|receive)?(?:, [\d.]+ \w+)?(?:, tag (\d+))?.*)")), Counter()
    for t, what, text, word, tag in lines:
        if what == "begin":  # who, and what without how long
            found[t, what, re.sub(", [0-9.,:]+ (ns|µs|ms|s|min|h)$", "",
                text)] += 1
        elif word is not None:
            found[t, what, tag or ""] += 1
    found = Some(found)
    found.since = lines[0][0] if len(lines) == 16 else -FOR_EVER
    for key in [k for k in found if k[0] <= found.since]:
        del found[key]
    return found


def begin_words(run, name, state):
    """A wait is told with what it is for; all else by its name, if it has one."""
    word = run.known.name(name) if name > 0 else ""
    words = "idle, waits for work" if state == "idle" else WAIT_WORDS[state]
    if not word:
        return words
    return f"{words}: {word}" if is_wait(state) else word


def true_text(run, r):
    last = Counter()
    for t in run.threads.values():
        if t.place[0] != 0:
            last.update((a - r.origin, "begin", f"{who(run, t.at)}: " +
                begin_words(run, what, state)) for (a, what), state in
                zip(t.listed, t.in_state) if a <= r.a)
    for first, effect in ways(run, "send", "receive"):
        for e, what in (first, "cause"), (effect, "effect"):
            if e is not None and e.t <= r.a:
                last[e.t - r.origin, what, first.c or ""] += 1
    return dict(sorted(last.items(), key=lambda item: item[0][0])[-64:])


# --- nodes, processes and threads as a tree ---

def shown_places(w):
    found, path = Counter(), []
    for line in w.lines:
        m = re.fullmatch(r"  ( *)(.*): (\d+) below, busy ~?(-?\d+) ns, waits "
            r"~?(-?\d+) ns", line)
        if m:
            path[len(m[1]) // 2 :] = [m[2]]
            add_place(found, path, *map(int, m.groups()[2:]))
    return found


def add_place(found, path, below, busy, waits):
    for what, n in (("", 1), (" below", below), (" busy", busy),
            (" waits", waits)):
        found[" > ".join(path) + what] += n


def true_places(run, r):
    """Each below who made it, or else where it is."""
    up, words = makers(run), {}
    for key in up:
        words[key] = place_words(run, key)
    found = Counter()
    many = sum(key[1] is None for key in up) > 1
    for key in up:
        path, at = [], key
        while at is not None:
            path.insert(0, words[at])
            at = up[at]
        if many:
            path.insert(0, run.known.run["name"].decode())
        below = sum(key in above(up, k) for k in up)
        t = next((t for t in run.threads.values() if t.place[:3] == key), None)
        busy = waits = 0
        for state, times in t.states.items() if t else ():
            waits += times.within(r.a, r.b) * is_wait(state)
            busy += times.within(r.a, r.b) * (state in ("running", "overhead"))
        add_place(found, path, below, busy, waits)
    if many:
        add_place(found, [run.known.run["name"].decode()], len(up), 0, 0)
    return found


def above(up, key):
    found = []
    while up[key] is not None:
        key = up[key]
        found.append(key)
    return found


def makers(run):
    """{(node, po, thread): who made it}, None: nobody; a process is (n, p,
    None), a node (n, None, None)."""
    up, made = {}, {e.a: run.known.threads[e.at][:3] for e in run.events if
        e.kind == "thread_create"}
    for t in run.threads.values():
        node, po, thread, name = t.place
        if node == 0 or thread == 0:
            continue
        up[node, None, None] = None
        up[node, po, thread] = (node, po, None)
    for node, po in run.known.pos:  # also those of which no thread has told
        if 0 not in (node, po):
            up[node, None, None] = None
            up[node, po, None] = (node, None, None)
    for key, parent in run.known.parents.items():
        if parent and key + (None,) in up:
            up[key + (None,)] = (key[0], parent, None)
    for e in run.events:
        if e.kind == "thread_begin" and e.a in made:
            up[run.known.threads[e.at][:3]] = made[e.a]
    return up


def place_words(run, key):
    node, po, thread = key
    if po is None:
        return f"node {run.known.node_name(node)}"
    if thread is None:
        return f"{run.known.pos[node, po]}  PO {po}"
    return run.label(next(at for at, t in run.known.threads.items() if
        t[:3] == key))


# what does not depend on the range, but at most on the playback's head
ANYWHERE = true_run, true_nodes, true_lanes, true_objects

FIGURES = [
    Figure("run", shown_run, true_run),
    Figure("node", shown_nodes, true_nodes),
    Figure("lanes", shown_lanes, true_lanes),
    Figure("objects", shown_objects, true_objects),
    Figure("tasks", shown_tasks, true_tasks),
    Figure("functions", shown_functions, true_functions),
    Figure("spread", shown_spread, true_spread),
    Figure("itself", shown_itself, true_itself),
    Figure("messages", shown_messages, true_messages),
    Figure("remote calls", shown_remote, true_remote),
    Figure("activity", shown_activity, true_activity),
    Figure("lives", shown_lives, true_lives),
    Figure("counters", shown_counters, true_counters),
    Figure("states", shown_states, true_states),
    Figure("samples", shown_samples, true_samples),
    Figure("running", shown_running, true_running),
    Figure("memory", shown_memory, true_memory),
    Figure("traffic", shown_traffic, true_traffic),
    Figure("speed", shown_speed, true_speed),
]
PLAYED = FIGURES[5:] + [Figure("objects", shown_objects, true_objects),
    Figure("tasks then", shown_tasks_then,
    true_tasks_then)]
STACKS = [Figure("stacks", shown_stacks, true_stacks),
    Figure("now", shown_now, true_now),
    Figure("streaks", shown_streaks, true_streaks)]
AT_ONCE = list(STACKS)
MACHINE = [Figure("machine", shown_machine, true_machine)]
PORTRAIT = [Figure("portrait", shown_portrait, true_portrait)]
TEXT = [Figure("text", shown_text, true_text)]
GUIDE = [Figure("guide", shown_guide, true_guide)]
METERS = [Figure("meters", shown_meters, true_meters)]
FIRST_TREE = [Figure("first tree", shown_tree, lambda run, r:
    true_tree(run, False))]
LAST_TREE = [Figure("last tree", shown_tree, lambda run, r:
    true_tree(run, True))]
CALLERS = [Figure("callers", shown_callers, true_callers)]
CALLERS_OF = [Figure("callers", shown_callers, true_callers_of)]
SOURCE = [Figure("source", shown_source, true_source)]
SPANS = [Figure("spans", shown_spans, true_spans)]
LOCKS = [Figure("locks", shown_locks, true_locks)]
LOCKS_NOW = [Figure("locks", shown_locks_now, true_locks_now)]
PROCESSORS = [Figure("processors", shown_processors, true_processors)]
PATH = [Figure("path", shown_path, true_path)]
TOP = [Figure("top", shown_top, true_top)]
FOUND = [Figure("found", shown_found, true_found)]
FLAME = [Figure("flame", shown_flame, true_flame)]
SLOWEST = [Figure("slowest", shown_slowest, true_slowest)]
PLACES = [Figure("threads", shown_places, true_places)]
CALLS = [Figure("calls", shown_calls, true_calls)]
