"""Events of kinds that a program has declared, put together by what
orrery-log(5) says of them, and the figures of each."""
import struct
from collections import Counter

from shown import scalar


def declared(text):
    """(kind, [(label, type, unit)]) of the text of a name; None: it is none."""
    kind, *fields = text.split(" ")
    split = [(f.split(":") + [""])[:3] for f in fields]
    if not fields or any(not f[1:2] or f[1] not in (
            "number value real id ns bytes flag name").split() for f in split):
        return None
    return kind, [tuple(f) for f in split]


def value(type_, word):
    if type_ == "real":
        return struct.unpack("<d", word.to_bytes(8, "little"))[0]
    if type_ == "value" and word >> 63:
        return word - (1 << 64)
    return word


def own_events(rows, name):
    """rows: (t, location, seq, kind, a, b, c) in order; name: text of a number.
    Yields (t, location, seq, number, kind, [(label, type, unit, value)]), with
    None for what is lost."""
    waiting = {}
    for t, at, seq, kind, a, b, c in rows:
        if kind == "lost":
            waiting[at] = []
        elif kind == "own_more":
            waiting.setdefault(at, []).append((a, b, c))
        elif kind == "own":
            found = declared(name(c))
            if found is None:
                continue
            fields = found[1]
            names = sum(f[1] == "name" for f in fields)
            numbers = len(fields) - names
            need = max(names, (numbers - 1) // 2 if numbers > 2 else 0)
            there = waiting.setdefault(at, [])
            # a handler's own are above those of whom it has interrupted
            keep = len(there) - need
            parts = there[keep:] if keep >= 0 else []
            del there[max(keep, 0):]
            words = [a, b] + [w for p in parts for w in p[:2]]
            texts = [p[2] for p in parts]
            told = []
            for label, type_, unit in fields:
                of = texts if type_ == "name" else words
                told.append((label, type_, unit,
                    value(type_, of.pop(0)) if of else None))
            yield t, at, seq, c, found[0], told


def report_own(run):
    """The list `kinds` of report, with labels that make each row's name."""
    found = {}
    for *_, number, kind, told in own_events(((e.t, e.at, e.seq, e.kind, e.a,
            e.b, e.c) for e in run.events), run.known.name):
        of = found.setdefault(number, (kind, Counter(), {}))
        of[1]["events"] += 1
        for field in told:
            values = of[2].setdefault(field[:3], [])
            if field[3] is not None:
                values.append(field[3])
    return [{"kind": kind, "events": n["events"], "fields": [
        figures(*field, values) for field, values in of.items()]}
        for kind, n, of in found.values()]


def figures(label, type_, unit, values):
    row = {"field": label, "type": type_, "unit": unit or ("ns" if type_ == "ns"
        else ""), "events": len(values)}
    if values and type_ not in ("id", "name"):
        total = 0.0 if type_ == "real" else 0
        for v in values:
            total += v
        row.update(sum=total, min=min(values), max=max(values),
            mean=total / len(values))
        for key in row:
            # six figures of what is no whole number, or of too large a one
            if key == "mean" or key in ("sum", "min", "max") and (
                    type_ == "real" or not -1 << 63 <= row[key] < 1 << 64):
                row[key] = scalar(f"{row[key]:.6g}")
    return row
