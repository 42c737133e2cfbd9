"""A log as the oracle knows it: its events are what `monitorctl dump --raw`
prints, its definitions are read by tests/reader, which was written from
orrery-log(5) alone.  Nothing here is shared with the programs that are held
against it."""
import os
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reader"))

from log import Log  # noqa: E402
from wire import Damaged, decode  # noqa: E402

LATE, ORPHAN, SHIFTED = 1, 2, 4

SPANS = ("none task call block serve phase wait_message wait_lock wait_sync "
    "wait_rpc").split()

# What opens a span of its thread, and what closes one (probe(3), Events).
BEGINS = {"thread_wait": "wait_sync", "task_begin": "task",
    "task_resume": "task", "block_begin": "block", "member_begin": "block",
    "enter": "call", "receive_wait": "wait_message",
    "collective_enter": "wait_sync", "rooted_enter": "wait_sync",
    "rpc_call": "wait_rpc",
    "rpc_begin": "serve", "lock_wait": "wait_lock", "cond_wait": "wait_lock",
    "sem_wait": "wait_lock", "barrier_enter": "wait_sync",
    "phase_begin": "phase", "io_wait": "wait_message",
    "system_wait": "wait_sync"}
ENDS = {"thread_join": "wait_sync", "task_suspend": "task",
    "task_end": "task", "block_end": "block", "member_end": "block",
    "leave": "call", "receive": "wait_message",
    "receive_giveup": "wait_message",
    "collective_leave": "wait_sync", "rooted_get": "wait_sync",
    "rooted_whole": "wait_sync", "rooted_leave": "wait_sync",
    "rpc_end": "serve", "rpc_return": "wait_rpc",
    "lock_acquire": "wait_lock", "lock_giveup": "wait_lock",
    "cond_wake": "wait_lock", "sem_acquire": "wait_lock",
    "barrier_leave": "wait_sync", "phase_end": "phase",
    "io_done": "wait_message", "system_done": "wait_sync"}
NAMED = {"task_begin", "task_resume", "block_begin", "member_begin", "enter",
    "rpc_call", "rpc_begin", "lock_wait", "cond_wait", "sem_wait",
    "phase_begin", "io_wait", "system_wait"}  # word c of a begin is a name
CLASSES = {"life": [*range(1, 9), *range(130, 135), 170, 171],
    "task": range(10, 18), "block": range(20, 24),
    "call": range(30, 32), "message": [*range(40, 58), 150, 151, 154],
    "rpc": range(60, 64), "lock": [*range(70, 86), 152, 153],
    "object": [*range(90, 97), *range(160, 164)],
    "memory": range(100, 109),
    "phase": range(110, 112), "note": range(120, 128), "sample": range(140, 143),
    "monitor": range(200, 256)}


class Event:
    __slots__ = ("t", "node_t", "at", "seq", "kind", "flags", "shift", "a",
        "b", "c")

    def __init__(self, line):
        w = line.split("\t")
        self.kind = w.pop(4)
        (self.t, self.node_t, self.at, self.seq, self.flags, self.shift,
            self.a, self.b, self.c) = map(int, w)


def text(body):
    return body.decode(errors="replace")


class Known:
    """Definitions of a log, the last word of each."""

    def __init__(self, path):
        with open(path, "rb") as f:
            log = Log(f.read())
        self.kinds, self.receipt, self.damaged = log.kinds, log.receipt, \
            log.damaged
        self.run = log.run
        self.nodes, self.pos, self.threads = {}, {}, {}
        self.parents = {}  # (node, po): po that forked or became it
        self.names, self.clocks = {}, {}
        self.tids = {}  # of a location
        self.modules, self.pids = [], {}  # of a (node, po) the latter
        self.programs, self.called = {}, Counter()
        # of a place in the code: what it was called, the functions there
        self.places, self.compiled = {}, {}
        self.first = {}  # of a place in the code: line of its function
        for _, what, body in log.records:
            try:
                self.define(what, decode(what, body))
            except Damaged:
                continue

    def define(self, what, d):
        if what == "symbol":
            levels = self.compiled.setdefault(d["name"], [])
            levels += [text(d["function"])] * (len(levels) == d["level"])
        if what == "node":
            self.nodes[d["node"]] = text(d["name"])
        elif what == "po":
            self.pos[d["node"], d["po"]] = text(d["program"])
            self.parents[d["node"], d["po"]] = d["parent_po"]
            self.pids[d["node"], d["po"]] = d["pid"]
        elif what == "module":
            self.modules.append(d)
        elif what == "thread":
            self.tids[d["location"]] = d["tid"]
            self.threads[d["location"]] = (d["node"], d["po"], d["thread"],
                text(d["name"]))
        elif what == "name":
            name = (text(d["text"]), text(d["file"]), d["line"])
            self.names[d["name"]] = name
            self.places[d["name"]] = name[0]
            self.programs[d["name"]] = text(d["program"])
            self.called[name[0]] += 1
            self.called[name] += 1
        elif what == "symbol" and d["level"] == 0:
            # a place in the code is what is found there, from then on
            name = (text(d["function"]), text(d["file"]), d["line"])
            self.names[d["name"]] = name
            self.first[d["name"]] = d["first"]
            if d["line"] == d["first"]:
                self.called[name[0]] += 1
                self.called[name] += 1
        elif what == "segment":
            self.clocks.setdefault(d["node"], []).append(d)

    def name(self, number):
        return self.names[number][0] if number in self.names else "?"

    def own_name(self, number):
        """With its place if others are called so, and its program too if
        they are at that place."""
        name, file, line = self.names.get(number, ("?", "", 0))
        if self.called[name] < 2 or not file:
            return name
        if self.called[name, file, line] < 2:
            return f"{name} ({file}:{line})"
        return f"{name} ({file}:{line}, {self.programs[number]})"

    def place(self, at):
        """(node, po) of a location."""
        return self.threads.get(at, (0, 0, 0, ""))[:2]

    def node_name(self, node):
        return self.nodes.get(node) or ("monitord" if node == 0 else "?")


def events(monitorctl, path):
    """All events, in the order of the log."""
    dump = subprocess.run([monitorctl, "dump", "--raw", path],
        stdout=subprocess.PIPE, check=True).stdout.decode()
    return [Event(line) for line in dump.splitlines()[1:]]
