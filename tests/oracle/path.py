"""The critical path by brute force: from the last change of any thread back, to
the last effect that ended a wait, or a time without work, which had begun
before the effect's cause; from there on from the cause.  And of all effects who
waited for them, how long."""
import re
from bisect import bisect_left, bisect_right
from collections import Counter

from truth import STATES, function_words, is_wait

# effect: (cause, words of the key); one: the cause has but one effect
PAIRS = {"thread_begin": ("thread_create", "a", True),
    "thread_join": ("thread_end", "a", False),
    "task_begin": ("task_spawn", "a", True),
    "task_resume": ("task_suspend", "a", False),
    "task_join": ("task_end", "a", False),
    "future_get": ("future_set", "a", False),
    "block_end": ("member_end", "a", False),
    "member_begin": ("block_begin", "a", False),
    "receive": ("send", "a", True),
    "collective_leave": ("collective_enter", "ab", False),
    "rooted_get": ("rooted_give", "ab", False),
    "rooted_whole": ("rooted_part", "ab", False),
    "rpc_begin": ("rpc_call", "a", True),
    "rpc_return": ("rpc_end", "a", True),
    "lock_acquire": ("lock_release", "ab", True),
    "cond_wake": ("cond_signal", "ab", False),
    "sem_acquire": ("sem_post", "ab", True),
    "barrier_leave": ("barrier_enter", "ab", False)}
WAITS = {"lock_release": "lock, condition", "sem_post": "lock, condition",
    "cond_signal": "lock, condition", "thread_end": "end of a thread",
    "barrier_enter": "barrier, block", "collective_enter": "barrier, block",
    "rooted_give": "barrier, block", "rooted_part": "barrier, block",
    "member_end": "barrier, block"}
STATE = {"running": "running", "overhead": "overhead", "lost": "events lost",
    "wait_message": "waits for a message", "wait_lock": "waits for a lock",
    "wait_cond": "waits for a condition", "wait_sync": "waits for others",
    "wait_rpc": "waits for a remote call", "idle": "nothing told"}


def shown_path(w):
    if w.value(r"path: nothing is known") is not None:
        return {}
    head = w.value(r"path: (~?)(\d+) pieces on (\d+) threads, (\d+) ns, from "
        r"(-?\d+) to (-?\d+); on the way (\d+) ns")
    if head is None or head[0]:
        return None
    found = Counter(dict(zip(("pieces", "threads", "ns", "from", "to", "way"),
        head[1:])))
    for line in w.lines:
        m = re.fullmatch(r"  in (.*): (\d+) ns, most of it, .*; of all threads "
            r"(\d+) ns", line)
        if m:
            found[f"in {m[1]}"] += int(m[2])
            found[f"in {m[1]}, of all"] += int(m[3])
        m = re.match(r"  waits, (.*?): (\d+) ns, (\d+) times", line)
        if m:
            found[f"waits, {m[1]}"] += int(m[2])
            found[f"waits, {m[1]} times"] += int(m[3])
    return dict(found)


class Doing:
    """What a thread was doing: (since, state, span or None, word or None) one
    after the other, anew whenever that is another thing."""

    def __init__(self, t):
        self.steps = []
        for when, chain in t.stacks:
            i = bisect_right(t.words, when, key=lambda s: s[0])
            word = t.words[i - 1][1] if i > 0 else None
            if t.end is not None and when >= t.end:
                self.add(when, "ended", None, None)
            elif chain is not None:
                self.add(when, chain[0].state, chain[0], None)
            else:
                self.add(when, STATES.get(word, "running") if word else "idle",
                    None, word)
        if t.end is not None:
            self.add(t.end, "ended", None, None)
        self.times = [s[0] for s in self.steps]

    def add(self, when, *what):
        if not self.steps or self.steps[-1][1:] != what:
            self.steps.append((when, *what))

    def before(self, t):
        """(since, state, span) just before t; None: it begins then."""
        i = bisect_left(self.times, t)
        return self.steps[i - 1] if i > 0 else None

    def changes(self, t):
        i = bisect_left(self.times, t)
        return i < len(self.times) and self.times[i] == t

    def within(self, a, b):
        i = max(bisect_right(self.times, a) - 1, 0)
        for k in range(i, len(self.steps)):
            x = max(self.times[k], a)
            y = min(self.times[k + 1] if k + 1 < len(self.times) else b, b)
            if self.times[k] >= b:
                break
            if y > x:
                yield y - x, *self.steps[k][1:]


def facts(run):
    """What each thread did, and all effects with their causes."""
    if hasattr(run, "path_facts"):
        return run.path_facts
    doing = {at: Doing(t) for at, t in run.threads.items()
        if 0 not in t.place[:3]}
    causes, links = {}, []
    kinds = {cause: (key, one) for cause, key, one in PAIRS.values()}
    for e in run.events:
        if e.kind in kinds:
            causes[(e.kind, *[getattr(e, w) for w in kinds[e.kind][0]])] = e
        if e.kind not in PAIRS:
            continue
        cause, words, one = PAIRS[e.kind]
        key = (cause, *[getattr(e, w) for w in words])
        c = causes.get(key)
        if 0 in key or c is None:
            continue
        if one:
            del causes[key]
        if c.at != e.at and c.at in doing and e.at in doing and c.t <= e.t:
            links.append((c, e))
    run.path_facts = doing, links
    return run.path_facts


def binds(doing, c, e):
    d, b = doing[e.at], doing[e.at].before(e.t)
    if not c.t < e.t:
        return False
    if b is None:
        return True
    since, state, span, word = b
    free = is_wait(state) or state == "idle" or (span is not None and
        span.kind == "block" and c.kind == "member_end")
    return d.changes(e.t) and free and since < c.t


def last_change(run, doing, r):
    """(when, location); of equal ones the first."""
    best = None
    for at in sorted(doing):
        d = doing[at]
        i = bisect_left(d.times, r.past)
        if i > 0 and d.times[i - 1] >= r.a and (best is None or
                d.times[i - 1] > best[0]):
            best = d.times[i - 1], at
    return best


def walk(run, r, doing, links):
    """[(location, from, to)] from the end back, and the time on the way."""
    end = last_change(run, doing, r)
    if end is None:
        return [], 0
    t, at = end
    pieces, way = [], 0
    bound = {}
    for c, e in links:
        if r.a <= e.t < r.past and binds(doing, c, e):
            bound.setdefault(e.at, []).append((e.t, c.t, c.at))
    while True:
        found = max((b for b in bound.get(at, []) if b[0] <= t), default=None)
        if found is None:
            first = max(doing[at].times[0], r.a)
            pieces.append((at, min(first, t), t))
            return pieces, way
        pieces.append((at, found[0], t))
        t, at = max(found[1], r.a), found[2]
        way += found[0] - t
        if found[1] < r.a:
            return pieces, way


def words_of(run, state, span, word):
    if span is not None and span.name:
        word = function_words(run, span.kind, span.name) if state == \
            "running" else run.known.name(span.name)
    if state in ("idle", "ended"):
        return "nothing told"
    return word if word and state == "running" else STATE[state] + \
        (f": {word}" if word else "")


def self_of(run, doing, r):
    """(location, function): so long the thread was in it itself."""
    found = Counter()
    for at, d in doing.items():
        end = min(r.past, run.end_of(at))
        for ns, state, span, word in d.within(r.a, end):
            if state == "running" and (span.name if span else word):
                found[at, words_of(run, state, span, word)] += ns
    return found


def shown_top(w):
    if w.value(r"top: ~") is not None:
        return None
    found = {}
    for line in w.lines[w.lines.index(next(t for t in w.lines if
            t.startswith("top: "))) + 1 :]:
        m = re.fullmatch(r"  (.*): (\d+) ns in (\d+) functions(?:; (.*))?", line)
        if not m:
            break
        found[f"{m[1]} ns"], found[f"{m[1]} functions"] = int(m[2]), int(m[3])
        for part in m[4].split("; "):
            name, ns = part.removesuffix(" ns").rsplit(" ", 1)
            found[f"{m[1]} in {name}"] = int(ns)
    return found


def true_top(run, r):
    """By node; where the tenth is as long as the next, either may be told."""
    doing, links = facts(run)
    nodes, found = {}, {}
    for (at, words), ns in self_of(run, doing, r).items():
        node = f"node {run.known.node_name(run.threads[at].place[0])}"
        nodes.setdefault(node, Counter())[words] += ns
    for node, sums in nodes.items():
        found[f"{node} ns"] = sum(sums.values())
        found[f"{node} functions"] = len(sums)
        for words, ns in sorted(sums.items(), key=lambda s: -s[1])[:10]:
            found[f"{node} in {words}"] = ns
    return found


def true_path(run, r):
    doing, links = facts(run)
    pieces, way = walk(run, r, doing, links)
    if not pieces:
        return {}
    found = Counter({"pieces": len(pieces), "way": way,
        "threads": len({p[0] for p in pieces})})
    start = pieces[-1][1]
    if way and sum(b - a for at, a, b in pieces) + way != pieces[0][2] - start:
        start = r.a
    found.update({"ns": pieces[0][2] - start, "to": pieces[0][2] - run.origin,
        "from": start - run.origin})
    for at, a, b in pieces:
        for ns, state, span, word in doing[at].within(a, b):
            words = words_of(run, state, span, word)
            found[f"in {words}"] += ns
            if state == "running" and (span.name if span else word):
                found[f"in {words}, of all"] = None
    everything = self_of(run, doing, r)
    for key in [k for k, ns in found.items() if ns is None]:
        found[key] = sum(ns for (at, words), ns in everything.items() if
            f"in {words}, of all" == key)

    def waited(what, a, b):
        ns = min(b, r.past) - max(a, r.a)
        if ns > 0:
            found[f"waits, {what}"] += ns
            found[f"waits, {what} times"] += 1

    for c, e in links:
        if not r.a <= e.t < r.past:
            continue
        b = doing[e.at].before(e.t)
        waits = b is not None and doing[e.at].changes(e.t) and is_wait(b[1])
        if c.kind == "rpc_call":
            waited("server busy", c.t, e.t)
        elif c.kind == "rpc_end":
            waited("on the way", c.t, e.t)
        elif c.kind == "send" and not waits:
            waited("late receiver", c.t, e.t)
        elif c.kind == "send" and b[0] < c.t:
            waited("late sender", b[0], c.t)
            waited("on the way", c.t, e.t)
        elif c.kind == "send":
            waited("late receiver", c.t, b[0])
            waited("on the way", b[0], e.t)
        elif c.kind in WAITS and binds(doing, c, e) and b is not None and \
                b[1] != "idle":
            waited(WAITS[c.kind], b[0], c.t)
    return dict(found)
