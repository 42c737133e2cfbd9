"""What a run was, by brute force: every thread's events are gone through one
after the other, with the stack of what it is in, and what each thing was in and
when is kept as plain intervals, which the figures add up.

What is right where there is a choice:

  * An end closes the innermost span of its sort, a task's that of its task;
    what lies above stays open.  An end without a begin does nothing.
  * Waits lie over the span in which they happen and are part of its time.
    One for a condition or semaphore outside of all work is idleness; so is one
    of a thread that has said last that it is idle.
  * A suspended task takes with it what was begun in it, and brings it back.
  * Of a function that calls itself the outermost call counts for the time,
    each one for the number.  A task and a call of one name are two things.
  * What is known of a task on both sides of a loss is two that are over.
  * A task is known by its spawn, begin or resume, or as somebody's parent; until
    it is told itself it has no name.
  * With a thread all ends that it had open, with a process all its threads.
  * Records that are lost end tasks, waits and holds of locks at the last event
    before.  Calls, blocks and phases are believed to go on; a leave of another
    one that is open ends those above it, and an end all above it, that began
    before.  What the thread was doing is lost from that event to the next that
    it tells, and is listed as a stretch of its own.
  * A lock that is not given up is held until its process ends, or until locks
    are no longer recorded: from then to the next that is told of it nobody
    knows who holds it.
  * From a to b is a <= t < b; a call belongs to where it began."""
from bisect import bisect_left, bisect_right
from collections import Counter

from events import BEGINS, CLASSES, ENDS, NAMED

STATES = {"idle": "idle", "overhead": "overhead", "runtime": "overhead",
    "system": "overhead", "wait": "wait_sync", "waiting": "wait_sync",
    "blocked": "wait_sync"}  # others: running
FOREVER = 1 << 62
LOSS = -1  # as a name: of a stretch of which records are missing


def is_wait(kind):
    return kind.startswith("wait_")


class Times:
    """Intervals that are opened and closed in the order of time."""

    def __init__(self):
        self.since, self.depth, self.began, self.past = 0, 0, [], []
        self.starts, self.sums = [], [0]
        self.over = []  # what is not open any more, also if it took no time

    def open(self, t):
        if self.depth == 0:
            self.since = t
        self.depth += 1

    def close(self, t):
        self.depth -= 1
        if self.depth == 0:
            self.over.append((self.since, t))
        if self.depth == 0 and t > self.since:
            self.past.append((self.since, t))

    def finish(self, t):
        """All that is open goes on until t, the end of the run."""
        if self.depth > 0 and t > self.since:
            self.past.append((self.since, t))
        self.depth = 0
        self.starts = [a for a, b in self.past]
        for a, b in self.past:
            self.sums.append(self.sums[-1] + b - a)

    def until(self, t):
        """How much of it lies before t."""
        i = bisect_left(self.starts, t)
        if i == 0:
            return 0
        a, b = self.past[i - 1]
        return self.sums[i - 1] + min(b, t) - a

    def within(self, a, b):
        return self.until(b) - self.until(a)

    def begun(self, a, b):
        return bisect_left(self.began, b) - bisect_left(self.began, a)


class Span:
    __slots__ = ("kind", "name", "id", "stale", "outer", "ran", "since",
        "at", "state", "from_t", "over", "began_at", "paused",
        "event", "within", "begin_n", "over_n", "told")

    def __init__(self, kind, name, id):
        self.kind, self.name, self.id = kind, name, id
        self.stale, self.outer, self.ran, self.since = False, False, 0, 0
        self.state = "running"
        self.from_t = self.over = None  # until it was suspended, at most
        self.begin_n = self.over_n = None  # with which event of the log
        self.began_at = self.paused = None  # where; first suspended when
        self.event = self.within = None  # begun by this, in this function
        self.told = None    # when it was that its end is lost


class Path:
    """A procedure as it was called from another; the root is of a thread."""
    __slots__ = ("kind", "name", "below", "times", "waits")

    def __init__(self, kind, name):
        self.kind, self.name, self.below = kind, name, {}
        self.times, self.waits = Times(), Times()

    def child(self, kind, name):
        if (kind, name) not in self.below:
            self.below[kind, name] = Path(kind, name)
        return self.below[kind, name]


class Thread:
    def __init__(self, run, at):
        self.run, self.at = run, at
        self.place = run.known.threads.get(at, (0, 0, 0, ""))
        self.stack = []     # (span, path), waits too
        self.chain = [None] # (span, the same without it), for self.stacks
        self.names = {}     # (kind, name): Times
        self.states = {}    # what it was doing: Times
        self.spans = {}     # kind: Times, as report has them
        self.root = Path("thread", 0)
        self.said, self.began_as = "idle", ""
        self.now = None     # a key of states
        self.first = self.last = self.end = None
        self.shut = None    # the last of what it did
        self.events = 0
        self.stacks = []    # (t, chain) after each event, or a loss
        self.seqs = {}      # seq of an event: chain
        self.words = []     # (t, what it said that it does)
        self.listed = []    # (t, name or kind) of each begin
        self.in_state = []  # the state of each of these
        self.anew = []      # not what goes on, or is only said or missing

    # --- the stack ---

    def inner(self, upto=None):
        """The path of the innermost span that is no wait."""
        for span, path in reversed(self.stack[:upto]):
            if path is not None:
                return path
        return self.root

    def on(self, t, span, begins):
        """A span at the top of the stack, which begins or goes on."""
        up, kind = self.inner(), span.kind
        span.since, span.at = t, self.at
        if begins:
            span.from_t, span.began_at = t, self.at
            span.begin_n = self.run.n
            self.run.made.append(span)
        spans = self.spans.setdefault(kind, Times())
        spans.open(t)
        if begins:
            spans.began.append(t)
        if is_wait(kind):
            up.waits.open(t)
            self.push(span, None)
            return
        path = up.child(kind, span.name)
        path.times.open(t)
        times = self.names.setdefault((kind, span.name), Times())
        times.open(t)
        if begins:
            span.outer = times.depth == 1
            path.times.began.append(t)
            times.began.append(t)
        self.push(span, path)

    def push(self, span, path):
        self.stack.append((span, path))
        self.chain.append((span, self.chain[-1]))

    def off(self, t):
        """The top of the stack; what it was."""
        span, path = self.stack.pop()
        self.chain.pop()
        span.ran += t - span.since
        self.spans[span.kind].close(t)
        if path is None:
            self.inner().waits.close(t)
        else:
            path.times.close(t)
            self.names[span.kind, span.name].close(t)
        return span

    def done(self, span):
        """It is over: how long it took in all, if it was the outermost."""
        if span.outer and not self.run.ended:
            self.run.over.setdefault((span.kind, span.name), []).append(
                span.ran)
        if span.outer:
            self.run.calls.setdefault((self.run.program(self.at), span.kind,
                span.name), []).append(span.ran)

    def ends(self, span, t):
        if span.over is None:
            span.over, span.over_n = t, self.run.n

    def take_out(self, t, i):
        """Span i; those above stay, and hang below what is left."""
        above = []
        while len(self.stack) > i + 1:
            span = self.stack[-1][0]
            times = self.names.get((span.kind, span.name))
            again = times and times.depth == 1 and times.since == t
            above.append(self.off(t))
            if again and span.from_t != t:
                times.over.pop()  # it moves once more
        out = self.off(t)
        self.ends(out, t)
        for span in reversed(above):
            self.on(t, span, False)
        self.done(out)

    def find(self, kind, id):
        """The innermost of a sort; a task's is that of its task, if any."""
        found = None
        for i in range(len(self.stack) - 1, -1, -1):
            span = self.stack[i][0]
            if span.kind != kind:
                continue
            found = i if found is None else found
            if kind != "task" or span.id == id:
                return i
        return found

    # --- events ---

    def begin(self, e, kind):
        name = e.c if e.kind in NAMED else 0
        if e.kind == "task_resume":
            span, kept = self.run.asleep.pop(e.a, (None, []))
            alone = span is None
            if alone:
                span = Span(kind, name or self.run.task_name(e.a), e.a)
            self.on(e.t, span, False)
            if alone:
                span.outer = self.names[kind, span.name].depth == 1
            self.spans[kind].began.append(e.t)
            for span in kept:
                self.on(e.t, span, False)
            return
        if kind == "task" and name == 0:
            name = self.run.task_name(e.a)
        span = Span(kind, name, e.a)
        span.event, span.within = e.kind, self.inner().name
        span.state = "running" if not is_wait(kind) else kind
        if e.kind in ("cond_wait", "sem_wait") and self.said == "idle" and (
                self.inner() is self.root or self.words):
            span.state = "idle"
        elif e.kind == "cond_wait":
            span.state = "wait_cond"
        self.on(e.t, span, True)

    def meant(self, e, kind):
        """Which span an end ends."""
        i = self.find(kind, e.a)
        if kind == "call" and i is not None and self.stack[i][0].stale:
            named = [k for k, (span, path) in enumerate(self.stack) if
                span.kind == "call" and span.name == e.c]
            return named[-1] if named else i
        return i

    def finish(self, e, kind):
        i = self.meant(e, kind)
        if i is None:
            return
        for k in range(len(self.stack) - 1, i, -1):
            if self.stack[k][0].stale:
                self.take_out(e.t, k)
        if e.kind == "phase_end":
            span = self.stack[i][0]
            self.run.phases.append((self.at, span.name, span.from_t, e.t, e.a))
        if e.kind != "task_suspend":
            self.take_out(e.t, i)
            return
        kept = []
        while len(self.stack) > i + 1:
            kept.insert(0, self.off(e.t))
        task = self.off(e.t)
        self.run.asleep[e.a] = task, kept
        task.paused = e.t if task.paused is None else task.paused
        for span in kept:
            self.ends(span, e.t)

    def lost(self, e):
        t = self.last if self.last is not None else e.t
        for i in range(len(self.stack) - 1, -1, -1):
            span = self.stack[i][0]
            if span.kind == "task" or is_wait(span.kind):
                span.told = e.t
                self.take_out(t, i)
            else:
                span.stale = True
        if self.end is not None:
            return
        self.show(t, "lost")
        loss = Span("lost", 0, 0)
        loss.state = "lost"
        self.gap = loss, self.chain[-1]
        self.stacks.append((t, self.gap))
        self.listed.append((t, LOSS))
        self.in_state.append("lost")
        self.anew.append(False)

    def over(self, t):
        self.shut = t if self.stack else self.last
        while self.stack:
            span = self.off(t)
            self.ends(span, t)
            self.done(span)
        self.end = t
        self.show(t, None)

    def show(self, t, state):
        if self.now is not None:
            self.states[self.now].close(t)
        self.now = state
        if state is not None:
            self.states.setdefault(state, Times()).open(t)

    def state(self):
        return self.stack[-1][0].state if self.stack else self.said

    def event(self, e):
        if self.first is None:
            self.first = e.t
        if e.kind in BEGINS:
            self.begin(e, BEGINS[e.kind])
            self.listed.append((e.t, self.stack[-1][0].name))
            self.in_state.append(self.stack[-1][0].state)
            self.anew.append(e.kind != "task_resume")
        elif e.kind in ENDS:
            self.finish(e, ENDS[e.kind])
        elif e.kind == "state":
            word = self.run.known.name(e.c)
            self.said = STATES.get(word, "running")
            self.words.append((e.t, word))
            if not self.stack and self.said != "idle":
                self.listed.append((e.t, e.c))
                self.in_state.append(self.said)
                self.anew.append(False)
        elif e.kind == "lost":
            self.lost(e)
        if e.kind == "thread_begin" and e.c != 0 and not self.began_as:
            self.began_as = self.run.known.name(e.c)
        if e.kind == "thread_end":
            self.over(e.t)
        elif self.end is None and e.kind != "lost" and \
                self.state() != self.now:
            self.show(e.t, self.state())
        self.stacks.append((e.t, self.gap if e.kind == "lost" and self.end is
            None else self.chain[-1]))
        self.seqs[e.seq] = self.chain[-1]
        self.last = self.shut = e.t
        self.events += 1

    def seen(self):
        """From its first event to its last, or to the end of what was open."""
        return (self.run.last if self.stack else self.shut) - self.first

    def all_times(self):
        yield from self.names.values()
        yield from self.states.values()
        yield from self.spans.values()
        todo = [self.root]
        while todo:
            path = todo.pop()
            yield path.times
            yield path.waits
            todo.extend(path.below.values())

    def lives(self, t):
        return self.first <= t and not (self.end is not None and
            self.end <= t)

    def said_at(self, t):
        """What it had said that it does, as words in a stack."""
        i = bisect_right(self.words, t, key=lambda s: s[0])
        word = self.words[i - 1][1] if i > 0 else "idle"
        state = STATES.get(word, "running")
        return [] if state == "idle" else \
            ["waits for others" if is_wait(state) else word]

    def chain_after(self, e):
        """Spans that are open after an event, innermost first."""
        chain = self.seqs[e.seq]
        while chain is not None:
            yield chain[0]
            chain = chain[1]

    def stack_at(self, t):
        """Spans that are open at t, outermost first."""
        i = bisect_right(self.stacks, t, key=lambda s: s[0])
        chain, found = self.stacks[i - 1][1] if i > 0 else None, []
        while chain is not None:
            found.insert(0, chain[0])
            chain = chain[1]
        return found


LOCKS = 1 << list(CLASSES).index("lock")
SORTS = {"lock_wait": "lock", "lock_acquire": "lock", "lock_release": "lock",
    "lock_taken": "lock", "cond_wait": "condition", "cond_wake": "condition",
    "cond_signal": "condition", "cond_signalled": "condition", "sem_wait":
    "semaphore", "sem_acquire": "semaphore", "sem_post": "semaphore",
    "sem_passed": "semaphore", "sem_posted": "semaphore"}
# so many times more, of which there is no event each
TAKEN = {"lock_taken", "sem_passed"}
SIGNALLED = {"cond_signalled", "sem_posted"}


# What has no holder, by the event with which a wait for it begins.
SYNCS = {"cond_wait": "condition", "sem_wait": "semaphore", "barrier_enter":
    "barrier", "collective_enter": "collective", "rooted_enter": "collective"}


class Lock:
    def __init__(self, e):
        self.id, self.sort, self.name = e.a, SORTS[e.kind], e.c
        self.waits, self.holds, self.taken, self.contended = [], [], 0, 0
        self.signals = 0
        self.waiting, self.held = {}, {}  # by location
        self.left, self.untold = 0, []  # held to their process' end

    def word(self, run):
        """As its row is called, without its number."""
        return run.known.name(self.name) if self.name else self.sort

    def holder(self, t):
        """(location, since when, how many more hold it) of who has held it for
        longest, or None."""
        of = [(since, at) for ns, at, where, since in self.holds if
            since <= t < since + ns] + [(since, at) for at, (n, since, where)
            in self.held.items() if since <= t]
        since, at = min(of, key=lambda h: h[0], default=(0, 0))
        return (at, since, len(of) - 1) if of else None

    def ends(self, at, t):
        n, since, where = self.held.pop(at)
        self.holds.append((t - since, at, where, since))

    def is_untold(self, t):
        return any(a <= t and (b is None or t < b) for a, b in self.untold)


def take_lock(run, lock, e):
    if e.kind in ("lock_acquire", "lock_release"):
        lock.untold = [(a, e.t if b is None else b) for a, b in lock.untold]
    if e.kind in TAKEN:
        lock.taken += e.b
    elif e.kind in SIGNALLED:
        lock.signals += e.b
    elif e.kind in ("cond_signal", "sem_post"):
        lock.signals += 1
    elif e.kind.endswith("_wait"):
        lock.waiting[e.at] = e.t
    elif e.kind == "lock_giveup":
        if e.at in lock.waiting:
            lock.waits.append(e.t - lock.waiting.pop(e.at))
    elif e.kind == "lock_release":
        # who does not hold it gives it up for who has had it for longest
        at = e.at if e.at in lock.held else next(iter(lock.held), None)
        if at is not None and lock.held[at][0] > 1:
            n, since, where = lock.held[at]
            lock.held[at] = n - 1, since, where
        elif at is not None:
            lock.ends(at, e.t)
    else:
        lock.taken += 1
        if e.at in lock.waiting:
            lock.contended += 1
            lock.waits.append(e.t - lock.waiting.pop(e.at))
        if e.kind == "lock_acquire":
            n, since, where = lock.held.get(e.at, (0, e.t,
                run.function_at(e)))
            lock.held[e.at] = n + 1, since, where


def not_told(run, locks, e, last):
    """Locks of which nothing is heard any more by e; last: of each thread when
    its last event before was."""
    if e.kind == "lost":
        those, there = {e.at: last.get(e.at, e.t)}, True
    elif e.kind == "po_end":
        place = run.known.place(e.at)
        those, there = {at: max(e.t, t) for at, t in last.items() if
            run.known.place(at) == place}, False
    elif e.kind == "choice" and e.b & ~e.a & LOCKS or e.kind == "muted" and \
            e.a & ~e.b & LOCKS:
        place = run.known.place(e.at)
        those, there = {at: e.t for at in last if at == e.at or (e.kind ==
            "choice" or e.c) and run.known.place(at) == place}, True
    else:
        return
    for lock in locks:
        for at, t in those.items():
            if e.kind == "lost" and at in lock.waiting:
                lock.waits.append(t - lock.waiting.pop(at))
            if at in lock.held:
                lock.ends(at, t)
                lock.left += not there
                lock.untold += [(t, None)] if there else []


class Task:
    def __init__(self, id):
        self.id, self.parent, self.name, self.seen = id, 0, 0, False
        self.begun = self.ended = False
        self.suspensions, self.resumed = 0, 0
        self.pe, self.spawn, self.begin, self.end = None, None, None, None
        self.running = None     # (since, (po place, pe))
        self.ran = {}           # (place, pe): ns


class Run:
    """All of it."""

    def __init__(self, known, events):
        self.known, self.events = known, events
        self.threads, self.tasks, self.asleep = {}, {}, {}
        self.resumes = {}       # (place, pe): how often
        self.known_locks = self.known_kinds = None
        self.n = 0              # which event is met
        self.phases = []        # (location, name, begin, end, units)
        self.true = {}          # what was asked of it: the answer
        self.made = []          # all spans, in the order of their begins
        self.calls = {}         # (program, kind, name): [ns] of outer ones
        self.over, self.ended = {}, False  # the same without open ones
        self.origin = known.run["start_mon_ns"]  # as times are told
        self.first = events[0].t if events else 0
        self.last = max([e.t for e in events]) if events else 0
        for e in sorted(events, key=lambda e: e.t):
            if e.kind == "thread_name":  # the last one counts, everywhere
                known.threads[e.at] = known.threads[e.at][:3] + (
                    known.name(e.c),)
        for e in events:
            if e.kind == "thread_begin" and e.b:
                known.tids[e.at] = e.b
        self.renamed = {e.at for e in events if e.kind == "thread_name"}
        for self.n, e in enumerate(events):
            self.task_event(e)
            at = self.threads.get(e.at)
            if at is None:
                at = self.threads[e.at] = Thread(self, e.at)
            at.event(e)
            if e.kind == "po_end":
                self.process_over(e)
        self.ended = True
        for at in self.threads.values():
            for span, path in at.stack:
                span.ran += self.last - span.since
                at.done(span)
            for times in at.all_times():
                times.finish(self.last)
        for span, kept in self.asleep.values():
            for left in [span] + kept:
                self.threads[left.at].done(left)

    def process_over(self, e):
        """A process' threads end with it."""
        for at in self.threads.values():
            if at.end is None and at.place[:2] == \
                    self.known.place(e.at) and at.place[2] != 0:
                at.over(max(e.t, at.last))

    def program(self, at):
        return self.known.pos.get(self.known.place(at), "")

    def where(self, at):
        node, po, thread, name = self.known.threads[at]
        return f"{self.known.node_name(node)}/{po}.{thread}"

    def label(self, at):
        """Its own name; else what it began as, or the program's, and which."""
        node, po, thread, name = self.known.threads[at]
        if at in self.renamed or thread == 0 or name and \
                name != self.known.pos[node, po][:15]:
            return name or f"thread {thread}"
        begun = self.threads[at].began_as if at in self.threads else ""
        if not begun and thread == 1 and name:
            return name
        return f"{begun or name or 'thread'} {thread}"

    def end_of(self, at):
        """When a thread ended, or the run."""
        end = self.threads[at].end
        return self.last if end is None else end

    def function_then(self, at, t):
        """In which function a thread was when all had happened that did at that
        instant: in which order is not kept by the viewer."""
        for span in reversed(self.threads[at].stack_at(t)):
            if span.kind == "call":
                return self.known.name(span.name)
        return ""

    def function_at(self, e):
        """In which function an event was."""
        for span in self.threads[e.at].chain_after(e):
            if span.kind == "call":
                return self.known.name(span.name)
        return ""

    def task_name(self, id):
        return self.tasks[id].name if id in self.tasks else 0

    def task_event(self, e):
        if e.kind not in ("task_spawn", "task_begin", "task_resume",
                "task_suspend", "task_end"):
            return
        t = self.tasks.get(e.a)
        if t is None:
            if e.kind in ("task_suspend", "task_end"):
                return
            t = self.tasks[e.a] = Task(e.a)
        if e.kind == "task_spawn":
            t.parent, t.spawn = e.b, e.t
            if e.b != 0:  # heard of is known
                self.tasks.setdefault(e.b, Task(e.b))
        if not t.seen and e.kind in ("task_spawn", "task_begin",
                "task_resume"):
            t.seen, t.name = True, e.c
        at = (self.known.place(e.at), e.b)
        if e.kind in ("task_begin", "task_resume"):
            t.pe, t.running = e.b, (e.t, at)
            self.resumes[at] = self.resumes.get(at, 0) + \
                (e.kind == "task_resume")
            if e.kind == "task_begin":
                t.begun, t.begin = at, e.t
        if e.kind in ("task_suspend", "task_end"):
            if t.running is not None:
                since, at = t.running
                t.ran[at] = t.ran.get(at, 0) + e.t - since
            t.running = None
            if e.kind == "task_end":
                t.ended, t.end = True, e.t
            else:
                t.suspensions += 1

    def level(self, t):
        n = 0
        while t.parent in self.tasks:
            t = self.tasks[t.parent]
            n += 1
        return n

    def kinds_of(self, name):
        """What sorts of things have run under a name."""
        if self.known_kinds is None:
            self.known_kinds = {}
            for t in self.threads.values():
                for kind, n in t.names:
                    self.known_kinds.setdefault(n, set()).add(kind)
        return self.known_kinds[name]

    def locks(self):
        """{id: Lock} in the order in which they were first heard of."""
        if self.known_locks is None:
            self.known_locks, last = {}, {}
            for e in self.events:
                not_told(self, self.known_locks.values(), e, last)
                last[e.at] = e.t
                if e.kind in SORTS:
                    # those that are not told apart have no id
                    key = e.a or SORTS[e.kind]
                    self.known_locks.setdefault(key, Lock(e))
                    take_lock(self, self.known_locks[key], e)
                elif e.kind == "lock_giveup" and e.a in self.known_locks:
                    take_lock(self, self.known_locks[e.a], e)
        return self.known_locks

    def locks_with_rows(self):
        """Those that were not only counted, in the order in which they were
        first heard of as such."""
        ids = dict.fromkeys(e.a for e in self.events if e.kind in ("lock_wait",
            "lock_acquire", "lock_release") and e.a)
        return [self.locks()[id] for id in ids]

    def processes(self):
        """{(node, po): [threads]}, those that are no word about a process"""
        found = {}
        for at in self.threads.values():
            if at.place[0] != 0 and at.place[2] != 0:
                found.setdefault(at.place[:2], []).append(at)
        return found

    def messages(self):
        """(t sent, t taken, from, to, bytes) of each that was taken."""
        sent, taken = {}, []
        for e in self.events:
            if e.kind == "send" and e.a != 0:
                sent[e.a] = e
            elif e.kind == "receive" and sent.get(e.a) is not None:
                s = sent[e.a]
                taken.append((s.t, e.t, self.known.place(s.at),
                    self.known.place(e.at), s.b))
        return taken

    def remote_calls(self):
        """(phase, t over, from, to, ns) of each phase of a call that is over;
        from the caller to the callee."""
        told, over = {}, []
        for e in self.events:
            if not e.kind.startswith("rpc_") or e.a == 0:
                continue
            call = told.setdefault(e.a, {})
            call[e.kind] = e
            for phase, first, last in (("setup", "rpc_call", "rpc_begin"),
                    ("remote", "rpc_begin", "rpc_end"),
                    ("return", "rpc_end", "rpc_return"),
                    ("whole", "rpc_call", "rpc_return")):
                if e.kind != last or first not in call:
                    continue
                caller = call.get("rpc_call", call.get("rpc_return"))
                ends = call.get("rpc_end" if last == "rpc_return" else
                    "rpc_begin")
                if caller is not None and ends is not None:
                    over.append((phase, e.t, self.known.place(caller.at),
                        self.known.place(ends.at), e.t - call[first].t))
        return over


def function_words(run, kind, name):
    """With its kind if others have run under that name."""
    own, word = run.known.own_name(name), "remote call" if kind == "serve" \
        else kind
    if len(run.kinds_of(name)) < 2:
        return own
    return f"{own[:-1]}, {word})" if own.endswith(")") else f"{own} ({word})"
