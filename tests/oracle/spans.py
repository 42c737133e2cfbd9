"""The list of spans as it is written to a file: each that begins on a thread in
the range, how long it is, how long the thread had been in that state by its end,
and of waits in which function they were and who ended them."""
import csv
import os
from collections import Counter

from path import STATE, facts
from truth import LOSS, is_wait


ROWS = 8  # that are asked for in a range


class Lister:
    """Asks for the lists of some rows, and says of which threads they are."""

    def __init__(self, run, home):
        self.home, self.run = home, run
        self.rows, self.taken = len(run.threads) * 2 + len(run.known.pos), 0

    def paths(self, i):
        for k in range(i * ROWS, i * ROWS + min(self.rows, ROWS)):
            yield k % self.rows, f"{self.home}/spans{k}.tsv"

    def each(self, r, i):
        script = [f"select-range {r}"]
        for row, path in self.paths(i):
            script += [f"try select-row {row}", f"try export {path} spans"]
        return script

    def take(self, r, i, words):
        words.listed = {}
        for row, path in self.paths(i):
            if not os.path.exists(path):
                continue
            with open(path, newline="") as f:
                rows = list(csv.DictReader(f, delimiter="\t",
                    quoting=csv.QUOTE_NONE))
            os.unlink(path)
            where = [row["row"] for row in rows[:1]]
            of = [at for at in self.run.threads if [who(self.run, at)] == where]
            if of:  # not of a node, a lock, or nothing
                at = max(of, key=lambda at: self.common(r, at, rows))
                words.listed[at] = len(rows), list(self.begun(at, rows))
        r.rows = tuple(sorted(words.listed))
        self.taken += len(r.rows)

    def common(self, r, at, rows):
        """Of threads of one name that one is meant of which the list is."""
        true = Counter(t - self.run.origin for t, what in
            self.run.threads[at].listed if r.a <= t <= r.b)
        return (true & Counter(int(row["begins_ns"]) for row in
            rows)).total()

    def begun(self, at, rows):
        """Without what goes on, and what a thread said that it does: of those
        that are alike which it is, they come as the thread has told them."""
        t, name = self.run.threads[at], self.run.known.name
        anew = {}
        for (x, what), new in zip(t.listed, t.anew):
            anew.setdefault((x - self.run.origin, STATE["lost"] if what == LOSS
                else name(what) if what else ""), []).append(new)
        for row in rows:
            key = int(row["begins_ns"]), row["what"]
            if row["what"] == row["state"] and not anew.get(key):
                key = key[0], ""  # of no name
            if anew[key].pop(0):
                yield row


def who(run, at):
    node, po, thread, _ = run.known.threads[at]
    if 0 in (node, po, thread):
        return None
    return (f"{run.label(at)}, {run.known.pos[node, po]} PO {po}, "
        f"node {run.known.node_name(node)}")


def key_of(begins, what, n):
    n[begins, what] += 1
    return f"{begins} {what} {n[begins, what]}."


def shown_spans(w):
    found = {}
    for at, (rows, listed) in w.listed.items():
        n, found[f"{at} rows"] = Counter(), rows
        for row in sorted(listed, key=lambda row: (int(row["begins_ns"]),
                row["what"], -int(row["for_ns"].lstrip(">")))):
            key = f"{at} " + key_of(int(row["begins_ns"]), row["what"], n)
            if row["for_ns"].startswith(">"):
                continue
            for column in "for_ns", "ends_ns", "state", "in", "for", "how":
                found[f"{key} {column}"] = row[column]
            if not row["cumulative_ns"].startswith("~"):
                found[f"{key} cumulative_ns"] = row["cumulative_ns"]
    return found


def ender(run, at, span, end):
    """Who ended a wait, and whether it had waited for that; of causes at one
    instant that of the thread with the highest number counts."""
    doing, links = facts(run)
    if not hasattr(run, "ends"):
        run.ends = {}
        for c, e in links:
            run.ends.setdefault((e.at, e.t), []).append(c)
    causes = run.ends.get((at, end), [])
    if causes:
        c = max(causes, key=lambda c: (c.t, c.at))
        return who(run, c.at), "ended it" if c.t > span.from_t else \
            "had ended it before"
    return None


def holder(run, span, t):
    lock = run.locks().get(span.id)
    if span.kind != "wait_lock" or lock is None or lock.sort != "lock":
        return None
    found = lock.holder(t)
    return found and (who(run, found[0]), "holds it")


def callee(run, span, t):
    for e in run.events if span.kind == "wait_rpc" else ():
        if e.kind == "rpc_begin" and e.a == span.id and e.t <= t:
            return who(run, e.at), "serves it"
    return None


def true_spans(run, r):
    found = {}
    for at in r.rows:
        t = run.threads[at]
        found[f"{at} rows"] = sum(r.a <= x <= r.b for x, what in t.listed)
        for key, of in true_rows(run, r, t):
            found.update({f"{at} {key} {column}": str(value) for column, value
                in of.items()})
    return found


def true_rows(run, r, t):
    """(key, {column: value}) of each that begins there."""
    rows, n = [], Counter()
    for s in run.made:
        if s.began_at != t.at or not r.a <= s.from_t <= r.b:
            continue
        ends = [x for x in (s.paused, s.over) if x is not None]
        state = s.state if is_wait(s.kind) else "running"
        name = run.known.name(s.name) if s.name else words_of(state)
        rows.append((s.from_t, name, min(ends) if ends else None, state, s))
    rows.sort(key=lambda row: (row[0], row[1], -(row[2] or run.last)))
    for begin, name, end, state, s in rows:
        until = run.last if end is None else end
        of = {"for_ns": until - begin, "ends_ns": "" if end is None else
            end - run.origin, "state": words_of(state), "in": "", "for": "",
            "how": "", "cumulative_ns": t.states[state].within(r.a, min(until,
            r.b)) if state in t.states else 0}
        if is_wait(s.kind):
            chain = [x for x in t.stack_at(begin) if not is_wait(x.kind)]
            of["in"] = run.known.name(chain[-1].name) if chain and \
                chain[-1].name else ""
            of["for"], of["how"] = whom(run, t.at, s, end) or ("", "")
        yield key_of(begin - run.origin, name, n), of


def words_of(state):
    return "idle, waits for work" if state == "idle" else STATE[state]


def whom(run, at, span, end):
    if end is not None:
        return ender(run, at, span, end) or holder(run, span, span.from_t) or \
            callee(run, span, end)
    return holder(run, span, run.last) or callee(run, span, run.last)
