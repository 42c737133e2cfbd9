"""The slowest calls of a name, and what their time went to: at each instant of
a call its thread is in the call alone, in one that it has called, or waits."""
import re
from bisect import bisect_left
from collections import Counter

from truth import is_wait

MOST, PARTS = 16, 8
WAITS = {"wait_message": "waits for a message", "wait_lock": "waits for a lock",
    "wait_cond": "waits for a condition", "wait_sync": "waits for others",
    "wait_rpc": "waits for a remote call", "idle": "idle, waits for work"}
KINDS = {"serve": "remote call"}


def shown_slowest(w):
    head = next(t for t in w.lines if re.match(r"slowest: |found: ", t))
    if head.startswith("slowest: ~"):
        return None  # some of it was given up, and it says so
    n, ns = w.value(r"slowest: (\d+) of .*; (\d+) ns; p50")
    found, where = {"count": n, "ns": ns}, None
    parts = {}
    for line in w.lines[w.lines.index(head) + 1 :]:
        m = re.fullmatch(r"  (\d+): .*, from (-?\d+) ns, >?(\d+) ns; .*", line)
        if m:
            found[f"the {m[1]}."] = int(m[3])
            where = f"parts from {m[2]} for {m[3]}"
            continue
        m = re.fullmatch(r"    parts: (.*?)(?:; called by (.*))?", line)
        if not m:
            break
        if m[1] == "not known":
            found[where] = m[1]
            continue
        told = [p for p in re.findall(r"(.*?) (\d+) ns(?:, |$)", m[1])]
        parts.setdefault(where, []).append(", ".join(sorted(f"{word} {ns}" for
            word, ns in told)) + f"; by {m[2]}")
    found.update({key: sorted(v) for key, v in parts.items()})
    return found


def word_of(run, span, state=None):
    name = run.known.name(span.name) if span.name else None
    if state is not None:
        return f"waits for {name}" if name else WAITS[state]
    return name or KINDS.get(span.kind, span.kind)


def chain_of(chain):
    found = []
    while chain is not None:
        found.append(chain[0])
        chain = chain[1]
    return found  # innermost first


def parts_of(run, span, end):
    """Of a call until then, in words, with what called it."""
    at, sums, caller = run.threads[span.at], Counter(), None
    i = bisect_left(at.stacks, span.from_t, key=lambda s: s[0])
    while i < len(at.stacks) and at.stacks[i][0] <= end:
        a, chain = at.stacks[i]
        b = at.stacks[i + 1][0] if i + 1 < len(at.stacks) else end
        ns, spans, i = min(b, end) - max(a, span.from_t), chain_of(chain), i + 1
        if span not in spans:
            continue
        k = spans.index(span)
        caller = caller or next((s for s in spans[k + 1 :] if
            not is_wait(s.kind)), None)
        if ns <= 0:
            continue
        above = [s for s in spans[:k] if not is_wait(s.kind)]
        if is_wait(spans[0].kind):
            key = 2, spans[0].kind, spans[0].name, spans[0].state, \
                word_of(run, spans[0], spans[0].state)
        elif above:
            key = 1, above[-1].kind, above[-1].name, "", \
                word_of(run, above[-1])
        else:
            key = 0, "", 0, "", "own"
        sums[key] += ns
    parts = sorted(sums.items(), key=lambda p: (-p[1], p[0][0], p[0][2]))
    rest = parts[PARTS - 1 :]
    if len(rest) > 1:
        parts = parts[: PARTS - 1] + [((3, "", 0, "", "others"),
            sum(ns for key, ns in rest))]
    by = run.known.name(caller.name) if caller and caller.name else None
    return ", ".join(sorted(f"{key[4]} {ns}" for key, ns in parts)) + \
        f"; by {by}"


def true_slowest(run, r):
    text, least = r.sought
    now = run.last if r.head is None else r.head
    found = []
    for s in run.made:
        if run.known.name(s.name) == text and r.a <= s.from_t < r.past:
            end = min(now if s.over is None else s.over, now)
            found.append((end - s.from_t, -s.from_t, s, end))
    found.sort(key=lambda f: f[:2], reverse=True)
    last = found[MOST - 1][:2] if len(found) > MOST else None
    true = {"count": len(found[:MOST]), "ns": sum(f[0] for f in found[:MOST])}
    parts = {}
    for i, (ns, began, span, end) in enumerate(found[:MOST], 1):
        true[f"the {i}."] = ns
        key = f"parts from {-began - run.origin} for {ns}"
        parts.setdefault(key, []).append(parts_of(run, span, end) if
            not is_wait(span.kind) else None)
    true.update({key: sorted(v, key=str) for key, v in parts.items()})
    return true


def all_names(run, whole, names):
    """The whole run, once for each name: the model knows those."""
    for text in names[:: max(1, len(names) // 12)]:
        r = whole()
        r.sought = text, -1
        yield r


def slowest(r, i):
    return [f'slowest "{r.sought[0]}"']


def slowest_of(r, i):
    return ([f"seek {r.of(r.head)}"] if r.head is not None else []) + [
        f"select-range {r}", f'slowest {MOST} "{r.sought[0]}"']
