"""The slowest calls of a name, and what their time went to: at each instant of
a call its thread is in the call alone, in one that it has called, or waits."""
import re
from bisect import bisect_left
from collections import Counter

from scheduler import threads_of, times
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
        m = re.fullmatch(r"    parts: ?(.*?)(?:; called by (.*))?", line)
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


class Any:
    """Of those that are alike at the end of a list any may be told."""

    def __eq__(self, other):
        return True


def word_of(run, span, state=None):
    name = run.known.name(span.name) if span.name else None
    if state is not None:
        return f"waits for {name}" if name else WAITS[state]
    return name or KINDS.get(span.kind, span.kind)


def below(span, chain, known):
    """What a call is in: itself, what it has called, or None: it is not there.
    Chains share their ends, of which it is known already."""
    todo = []
    while chain is not None and chain[0] is not span and \
            id(chain) not in known:
        todo.append(chain)
        chain = chain[1]
    of = None if chain is None else span if chain[0] is span else \
        known[id(chain)]
    for c in reversed(todo):
        if of is span and not is_wait(c[0].kind) and c[0].kind != "lost":
            of = c[0]
        known[id(c)] = of
    return of


def caller_of(chain, span):
    while chain[0] is not span:
        chain = chain[1]
    chain = chain[1]
    while chain is not None and is_wait(chain[0].kind):
        chain = chain[1]
    return chain and chain[0]


def without_processor(run, at, a, b):
    """Ready or blocked, as the scheduler said; 0: nothing was recorded."""
    if not hasattr(run, "scheduled"):
        run.scheduled = threads_of(run)
    steps, end = run.scheduled.get((run.known.place(at),
        run.known.tids.get(at, 0)), ([], 0))
    of = times(steps, end, a, b)
    return of["ready"] + of["blocked"]


def parts_of(run, span, end):
    """Of a call until then, in words, with what called it."""
    at, sums, caller, known = run.threads[span.at], Counter(), None, {}
    i = bisect_left(at.stacks, span.from_t, key=lambda s: s[0])
    while i < len(at.stacks) and at.stacks[i][0] <= end:
        a, chain = at.stacks[i]
        b = at.stacks[i + 1][0] if i + 1 < len(at.stacks) else end
        ns, i, of = min(b, end) - max(a, span.from_t), i + 1, below(span,
            chain, known)
        if of is None:
            continue
        caller = caller or caller_of(chain, span)
        if ns <= 0:
            continue
        if is_wait(chain[0].kind):
            key = 2, chain[0].kind, chain[0].name, chain[0].state, \
                word_of(run, chain[0], chain[0].state)
        elif of is not span:
            key = 1, of.kind, of.name, "", word_of(run, of)
        else:
            key = 0, "", 0, "", "own"
        off = 0 if key[0] == 2 else without_processor(run, span.at,
            max(a, span.from_t), min(b, end))
        sums[key] += ns - off
        sums[3, "", 0, "", "no processor"] += off
    sums = +sums  # without what is none
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
    if last is not None and found[MOST][:2] == last:
        true[f"parts from {-last[1] - run.origin} for {last[0]}"] = Any()
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
