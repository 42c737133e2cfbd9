"""Counters: what is shown of each, and what is true, by every value that was
told."""
import re
import struct

from owned import own_events
from shown import scalar

OWNERS = ("thread", "process", "node", "?")
UNITS = ("", ", ns", ", bytes", ", thousandths")


def measure_of(e):
    return e.b if e.kind == "measure" else 0


def owner(run, e):
    node, po, thread, _ = run.known.threads.get(e.at, (0, 0, 0, ""))
    name = run.known.node_name(node)
    return {"node": name, "process": f"{name}/{po}"}.get(
        OWNERS[measure_of(e) & 3], f"{name}/{po}.{thread}")


def value(e):
    if e.kind == "counter_real":
        return struct.unpack("<d", struct.pack("<Q", e.a))[0]
    return e.a - (1 << 64) if e.a >> 63 else e.a


def told(run):
    """{(owner, name, real): [(t, value, measure)]}, in order of time."""
    found = {}
    for e in run.events:
        if e.kind in ("counter", "counter_real", "measure"):
            found.setdefault((owner(run, e), run.known.name(e.c),
                e.kind == "counter_real"), []).append(
                    (e.t, value(e), measure_of(e)))
    for of in found.values():
        of.sort(key=lambda v: v[0])
    return found


def curve(field):
    """Of a field of a declared kind: its value as a curve has it, if it is one;
    "" where there is none."""
    _, type_, unit, v = field
    if type_ in ("id", "flag", "name") or not (unit or type_ in ("ns", "bytes")):
        return ""
    return min(v, (1 << 63) - 1) if isinstance(v, int) else v


def own_told(run):
    """{(owner, "kind.field", number of the kind): as above}"""
    found = {}
    for t, at, _, number, kind, fields in own_events(((e.t, e.at, e.seq, e.kind,
            e.a, e.b, e.c) for e in run.events), run.known.name):
        node, po, thread, _ = run.known.threads.get(at, (0, 0, 0, ""))
        who = f"{run.known.node_name(node)}/{po}.{thread}"
        for field in fields:
            v = curve(field)
            if v not in ("", None):
                found.setdefault((who, f"{kind}.{field[0]}", number),
                    []).append((t, v, 0))
    for of in found.values():
        of.sort(key=lambda v: v[0])
    return found


def mean(values, past):
    """By how long each held, up to past."""
    area = sum(v * ((values[i + 1][0] if i + 1 < len(values) else past) - t)
        for i, (t, v, _) in enumerate(values))
    held = past - values[0][0]
    return area / held if held > 0 else float(values[-1][1])


def figures_of(values, past):
    of = [v for _, v, _ in values]
    return {"last": of[-1], "min": min(of), "max": max(of),
        "mean": f"{mean(values, past):.6g}"}


# --- the viewer ---

COUNTER = (r"  counter of (\S+): (.*): (\d+) values, last (\S+), min (\S+), max "
    r"(\S+), mean (\S+?)(?:, grows by (\S+))?")


def number(word):
    return int(word) if re.fullmatch(r"-?\d+", word) else float(word)


def shown_counters(w):
    found = {}
    for line in w.lines:
        m = re.fullmatch(COUNTER, line)
        if m is None:
            continue
        key = f"{m[1]} {m[2]}"
        found.update({f"{key} values": int(m[3]), f"{key} last": number(m[4]),
            f"{key} min": number(m[5]), f"{key} max": number(m[6]),
            f"{key} mean": m[7]})
        if m[8] is not None:
            found[f"{key} growth"] = m[8]
    return found


def at(values, t):
    """On the line from one value to the next."""
    before = [v for v in values if v[0] <= t]
    after = [v for v in values if v[0] > t]
    if not after:
        return before[-1][1]
    (t0, v0, _), (t1, v1, _) = before[-1], after[0]
    return v0 + (v1 - v0) * (t - t0) / (t1 - t0)


def growth(values, a, past):
    a, b = max(a, values[0][0]), past
    if b <= a:
        return None
    return f"{(at(values, b) - at(values, a)) * 1e9 / (b - a):.6g}"


def ends(run):
    """When a thread or a process was over: then its counters are."""
    found = {}
    for t in run.threads.values():
        node, po, thread, _ = t.place
        if t.end is not None and thread != 0:
            found[f"{run.known.node_name(node)}/{po}.{thread}"] = t.end
    for e in run.events:
        node, po = run.known.place(e.at)
        if e.kind == "po_end" and po != 0:
            found[f"{run.known.node_name(node)}/{po}"] = e.t
    return found


def true_counters(run, r):
    found, over = {}, ends(run)
    for (who, name, _), values in (told(run) | own_told(run)).items():
        past = r.past
        if who in over:
            past = min(past, max(over[who], values[-1][0]) + 1)
        if past <= r.a:
            continue
        inside = [v for v in values if r.a <= v[0] < past]
        before = [v for v in values if v[0] < r.a]
        if before and not (inside and inside[0][0] == r.a):
            inside.insert(0, (r.a, *before[-1][1:]))
        if not inside:
            continue
        key = f"{who} {name}"
        n = sum(r.a <= t < past for t, _, _ in values)
        found[f"{key} values"] = n
        for word, of in figures_of(inside, past).items():
            found[f"{key} {word}"] = of
        if values[0][2] & 4:
            found[f"{key} growth"] = growth(values, r.a, past)
    return found


# --- the report ---

def report_counters(run):
    found, over = [], ends(run)
    for (who, name, real), values in told(run).items():
        measure = values[0][2]
        of = figures_of(values, min(run.last, max(over.get(who, run.last),
            values[-1][0])))
        of["mean"] = scalar(of["mean"])
        real = {k: scalar(f"{v:.6g}") for k, v in of.items() if k != "mean"} if real \
            else of
        found.append({"of": who, "name": name, "what":
            OWNERS[measure & 3] + (", total" if measure & 4 else "") +
            UNITS[measure >> 4 & 15], "values": len(values),
            "last": real["last"], "min": real["min"], "max": real["max"],
            "mean": of["mean"]})
    return found
