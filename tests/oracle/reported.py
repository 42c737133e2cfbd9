"""The figures of `monitorctl report`, as monitorctl(1) says what they are."""
import math
from collections import Counter

from counters import report_counters
from owned import report_own
from samples import report_samples
from scheduler import Cpu, report_scheduler
from events import CLASSES, LATE, ORPHAN, SHIFTED, SPANS

LABELS = "of kind field location call why name program code place po pe from to id".split()


def labelled(rows):
    """Of remote calls two may be called alike: where they are called, and
    where they are served, if what else was told of one is lost."""
    same = Counter()
    for p in sorted(rows, key=lambda p: str(sorted(p.items()))):
        key = " ".join(str(p[k]) for k in LABELS if k in p)
        same[key] += 1
        yield key + (f", {same[key]}." if same[key] > 1 and "served" in p else
            ""), p


def flat(found, above=""):
    """{"tasks total": 5, ...} of what is nested."""
    if isinstance(found, dict):
        parts = found.items()
    elif isinstance(found, list) and found and isinstance(found[0], dict):
        parts = labelled(found)
    else:
        return {above: found}
    result, seen = {}, set()
    for key, value in parts:
        assert key not in seen, f"two are called {above} {key}"
        seen.add(key)
        result.update(flat(value, f"{above} {key}".strip()))
    return result


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
    tasks = list(run.tasks.values())
    levels = Counter(run.level(t) for t in tasks)
    names, pes = {}, {}
    for t in tasks:
        of = names.setdefault(t.name, {"name": run.known.name(t.name)
            if t.name else "", "tasks": 0, "suspensions": 0, "run_ns": 0})
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


# --- functions ---

def spread(calls):
    """Least, mean, greatest and percentiles, as the page of report has them:
    the shortest time that so many of a hundred calls did not exceed."""
    calls = sorted(calls) or [0]
    return {"min_ns": calls[0], "mean_ns": sum(calls) // len(calls),
        "max_ns": calls[-1], "p50_ns": calls[(len(calls) * 50 + 99) // 100 -
        1], "p99_ns": calls[(len(calls) * 99 + 99) // 100 - 1]}


def report_calls(run, kind):
    found, cpu = {}, Cpu(run)
    for t in run.threads.values():
        todo = list(t.root.below.values())
        while todo:
            path = todo.pop()
            todo += path.below.values()
            if path.kind != kind:
                continue
            text, file, line = run.known.names.get(path.name, ("", "", 0))
            of = found.setdefault((run.program(t.at), path.name), {"name":
                text, "program": run.program(t.at), "place":
                f"{file}:{line}" if file else "", "calls": 0, "self_ns": 0,
                "cpu_ns": 0, "self_cpu_ns": 0, "cpu_known": True})
            of["cpu_known"] &= cpu.known(t.at)
            of["self_cpu_ns"] += cpu.of(t.at, path.times.past) - sum(
                cpu.of(t.at, p.times.past) for p in path.below.values())
            of["calls"] += len(path.times.began)
            of["self_ns"] += path.times.sums[-1] - sum(p.times.sums[-1] for p
                in path.below.values())
        for (of_kind, name), spans in t.names.items():
            if of_kind == kind and cpu.known(t.at):
                found[run.program(t.at), name]["cpu_ns"] += cpu.of(t.at,
                    spans.past)
    for (program, name), of in found.items():
        outer = run.calls.get((program, kind, name), [])
        of.update(spread(outer), outer_calls=len(outer), total_ns=sum(outer))
    return list(found.values())


def report_callers(run):
    """By the line in which the instruction before the return address is."""
    known, found = run.known, {}
    names = {text: n for n, text in reversed(known.places.items())}

    def place(at, address):
        texts = [f"{known.pids.get(at, 0)}:0x{address:x}"]
        for m in known.modules:
            if (m["node"], m["po"]) == at and m["start"] <= address < m["end"]:
                id = m["build_id"].decode()[:8]
                texts.insert(0, m["path"].decode().rsplit("/", 1)[-1] +
                    ("#" + id if id else "") +
                    f"+0x{address - m['base']:x}")
        text = next((t for t in (texts[0], texts[-1]) if t in names), None)
        return known.names.get(names.get(text), ("", "", 0))

    for e in run.events:
        if e.kind != "enter" or e.b == 0:
            continue
        text, file, line = place(known.place(e.at), e.b - 1)
        where = f"{file}:{line}" if file and line else file
        key = e.c, run.program(e.at), text, where
        of = found.setdefault(key, {"of": known.names.get(e.c, ("",))[0],
            "program": key[1], "from": text, "place": where, "calls": 0})
        of["calls"] += 1
    return list(found.values())


def report_waits(run):
    found, times, open_ = {}, {}, {}

    def over(at, t):
        key, since = open_.pop(at, (None, 0))
        if key is not None:
            times[key].append(t - since)

    for e in run.events:
        if e.kind in ("io_wait", "system_wait"):
            kind = e.kind.replace("wait", "")
            key = run.program(e.at), kind, e.c
            of = found.setdefault(key, {"call": run.known.names.get(e.c,
                ("",))[0], "program": run.program(e.at), "waits": 0})
            of["waits"] += 1
            times.setdefault(key, [])
            open_[e.at] = key, e.t
        elif e.kind in ("io_done", "system_done"):
            over(e.at, e.t)
    for at in list(open_):
        over(at, run.end_of(at))
    for key, of in found.items():
        of.update(spread(times[key]), total_ns=sum(times[key]))
    return list(found.values())


def report_gaps(run):
    found = {}
    for e in run.events:
        if e.kind == "stream_gap":
            of = found.setdefault((run.program(e.at), e.c), {"why":
                run.known.names.get(e.c, ("",))[0], "program":
                run.program(e.at), "told": 0})
            of["told"] += 1
    return list(found.values())


# --- locks ---

def report_locks(run):
    found = []
    for lock in run.locks().values():
        waits = lock.waits + [run.end_of(at) - since for at, since in
            lock.waiting.items()]
        holds = lock.holds + [(run.last - since, at, where, since) for at, (n,
            since, where) in lock.held.items()]
        ns, at, where, since = max(holds, key=lambda h: h[0], default=(0, None,
            "", run.origin))
        found.append({"name": run.known.names.get(lock.name, ("",))[0], "sort": lock.sort,
            "id": f"0x{lock.id:x}", "acquisitions": lock.taken,
            "contended": lock.contended, "signals": lock.signals, "wait_ns": sum(waits),
            "longest_wait_ns": max(waits, default=0),
            "hold_ns": sum(h[0] for h in holds), "longest_hold_ns": ns,
            "holder": run.where(at) if at is not None else "",
            "holder_in": where, "holder_since_ns": since - run.origin,
            "still_held": len(lock.held) + lock.left,
            "still_waiting": len(lock.waiting)})
    return found


# --- remote calls ---

def report_rpcs(run):
    """A call has the name that its first event has: two places may be named
    where it is called and where it is served."""
    rpcs, found, open_at, called = {}, {}, {}, {}
    for e in run.events:
        if not e.kind.startswith("rpc_"):
            continue
        name = called.setdefault(e.a, e.c)
        of = found.setdefault(name, {"name": run.known.name(name), "calls": 0,
            "served": 0, "returned": 0, "sent_bytes": 0, "answered_bytes": 0,
            "service_ns": 0, "total_ns": 0})
        if e.kind == "rpc_call":
            of["calls"] += 1
            of["sent_bytes"] += e.b
            open_at[e.a] = e.t
        elif e.kind == "rpc_begin":
            of["served"] += 1
            open_at[e.a, "served"] = e.t
        elif e.kind == "rpc_end":
            of["answered_bytes"] += e.b
            of["service_ns"] += e.t - open_at.pop((e.a, "served"), e.t)
        elif e.a in open_at:
            of["returned"] += 1
            rpcs.setdefault(name, []).append(e.t - open_at.pop(e.a))
            of["total_ns"] += rpcs[name][-1]
    for name, of in found.items():
        of.update(spread(rpcs.get(name, [])))
    return list(found.values())


# --- memory ---

def report_memory(run):
    held, places, now, most = {}, {}, Counter(), Counter()
    sums = Counter(allocations=0, bytes=0, given_bytes=0, frees=0,
        freed_bytes=0, unknown_frees=0, null_frees=0, freed_elsewhere=0)
    nulls, handed, picked = Counter(), {}, {}
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "mem_alloc":
            of = places.setdefault((e.c, run.program(e.at)), Counter())
            if (place, e.a) in held:  # its end was not told
                now[place] -= held[place, e.a][0]
            held[place, e.a] = [e.b, e.b, of, e.at, e.c]
            for to in (sums, of):
                to["allocations"] += 1
                to["bytes"] += e.b
            sums["given_bytes"] += e.b
            now[place] += e.b
            most[place] = max(most[place], now[place])
        elif e.kind == "mem_given" and (place, e.a) in held:
            sums["given_bytes"] += e.b - held[place, e.a][1]
            held[place, e.a][1] = e.b
        elif e.kind == "mem_sample":
            of = picked.setdefault((e.c, run.program(e.at)), Picked())
            of.take((place, e.a), e.b)
        elif e.kind == "mem_free" and e.a == 0:
            sums["null_frees"] += 1
            nulls[e.at, e.c] += 1
        elif e.kind == "mem_free":
            if (place, e.a) not in held:
                sums["unknown_frees"] += not any([p.free((place, e.a)) for p in
                        picked.values()])
                continue
            size, given, of, owner, name = held.pop((place, e.a))
            for to in (sums, of):
                to["frees"] += 1
                to["freed_bytes"] += size
            now[place] -= size
            if owner != e.at:
                sums["freed_elsewhere"] += 1
                to = handed.setdefault((owner, e.at), Counter())
                to["pieces"] += 1
                to["bytes"] += size
    left = {}
    for size, given, of, owner, name in held.values():
        to = left.setdefault((owner, name), Counter())
        to["pieces"] += 1
        to["bytes"] += size
        to["given_bytes"] += given
    name, where = run.known.name, run.where
    return dict(sums, places=[dict(of, name=name(n), program=program,
                frees=of["frees"], freed_bytes=of["freed_bytes"]) for (n,
                program), of in places.items()],
        processes=[{"po": f"{run.known.node_name(p[0])}/{p[1]}", "most_bytes":
            n, "not_freed_bytes": now[p]} for p, n in most.items()],
        never_freed=[dict(of, location=where(at), name=name(n)) for (at, n), of
            in left.items()],
        null_frees_by=[{"location": where(at), "name": name(n), "frees": k} for
            (at, n), k in nulls.items()],
        handed=[{"from": where(a), "to": where(b), **of} for (a, b), of in
            handed.items()],
        picked=[dict(of.shown(), name=name(n), program=program) for (n,
            program), of in picked.items()], **report_heap(run))


class Picked:
    """Pieces that were picked: each stands for 1 / its chance."""

    def __init__(self):
        self.live, self.picked, self.freed = {}, 0, 0
        self.pieces = self.bytes = 0.0

    def take(self, key, size):
        pieces = 1 / (1 - math.exp(-size / 524288))
        self.live[key] = size * pieces
        self.picked += 1
        self.pieces += pieces
        self.bytes += size * pieces

    def free(self, key):
        if key not in self.live:
            return False
        del self.live[key]
        self.freed += 1
        return True

    def shown(self):
        return {"picked": self.picked, "freed": self.freed, "about_pieces":
            int(self.pieces), "about_bytes": int(self.bytes),
            "about_not_freed_bytes": int(sum(self.live.values()))}


def report_heap(run):
    threads, now, most = {}, Counter(), Counter()
    words = {"heap_made": ("pieces", "given_bytes"), "heap_asked":
        ("asked_bytes",), "heap_freed": ("freed", "freed_bytes",
        "null_frees"), "heap_mapped": ("mapped_bytes", "unmapped_bytes")}
    for e in run.events:
        if e.kind not in words:
            continue
        of = threads.setdefault(e.at, {k: 0 for w in words.values() for k in
                w})
        place, before = run.known.place(e.at), of["given_bytes"] - \
            of["freed_bytes"]
        of.update(zip(words[e.kind], (e.a, e.b, e.c)))
        now[place] += of["given_bytes"] - of["freed_bytes"] - before
        most[place] = max(most[place], now[place])
    return {"heap": [dict(of, location=run.where(at)) for at, of in
            threads.items()],
        "heap_processes": [{"po": f"{run.known.node_name(p[0])}/{p[1]}",
            "most_bytes": n, "in_use_bytes": now[p]} for p, n in most.items()
            if n > 0]}


# --- threads ---

def has_ended(run, t):
    """It has, or (of the collector's word about a process) its process has."""
    if t.place[2] != 0:
        return t.end is not None
    return any(e.kind == "po_end" and run.known.place(e.at) == t.place[:2]
        for e in run.events)

def report_lives(run):
    there = [t for t in run.threads.values() if t.place[1] != 0]
    return {word + end: sum(1 for t in there if (t.place[2] == 0) == of
        and (end == "" or has_ended(run, t)))
        for word, of in (("processes", True), ("threads", False))
        for end in ("", "_ended")}

def report_threads(run):
    threads = []
    for t in run.threads.values():
        node, po, thread, name = t.place
        where = f"{run.known.node_name(node)}/{po}.{thread}"
        # its own word, or that by which it began, or what the system says
        if name == run.program(t.at)[:15] and t.began_as and \
                t.at not in run.renamed:
            name = t.began_as
        states = {}
        for kind in SPANS[1:]:
            times = t.spans.get(kind)
            states[kind] = [0, 0] if times is None else \
                [times.sums[-1], len(times.began)]
        threads.append({"location": where if node else "monitord",
            "name": name, "program": run.program(t.at) if node else "",
            "events": t.events, "begin_ns": t.first - run.origin,
            "ended": has_ended(run, t), "seen_ns": t.seen(),
            "states": states})
    return threads


def true_report(run):
    receipt = run.known.receipt
    found = {"run": report_run(run), "events": report_events(run)}
    if receipt:
        found["receipt"] = {k: receipt[k] for k in ("published", "stored",
            "lost", "late", "orphans", "unknown", "unattached",
            "unrecorded")}
    found.update(tasks=report_tasks(run), messages=report_messages(run),
        objects=report_objects(run), functions=report_calls(run, "call"),
        phases=report_calls(run, "phase"), callers=report_callers(run), waits=report_waits(run),
        stream_gaps=report_gaps(run),
        locks=report_locks(run),
        rpcs=report_rpcs(run), memory=report_memory(run),
        counters=report_counters(run), kinds=report_own(run), scheduler=report_scheduler(run),
        lives=report_lives(run), threads=report_threads(run), **report_samples(run))
    return flat(found)
