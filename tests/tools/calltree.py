#!/usr/bin/env python3
"""Is the processor time of each function what the records say?

    calltree.py ROWS NAMES REPORT

ROWS is `monitorctl dump --raw` of examples/calltree, made with
-finstrument-functions, in a run with `sched: yes`; NAMES is `dump --kind enter` of
it, REPORT `report --json`.  CPU(f) = real(f) - what it called - what it was switched
out, to 1 us per call."""
import collections
import csv
import json
import re
import sys

CALLS = {"main": 1, "first": 10, "second": 10, "third": 100, "fourth": 100, "fifth": 1000}
rows = list(csv.DictReader(open(sys.argv[1]), delimiter="\t"))
names = [re.search(r"function=(\w+)", line)[1] for line in open(sys.argv[2])]

# when its one thread had no processor, and the calls
off, out, tids = [], None, set()
for r in rows:
    t = int(r["t_mon_ns"])
    if r["kind"].startswith("sched_") and r["kind"] != "sched_from":
        tids.add(r["a"])
    if r["kind"] == "sched_out":
        out = t
    elif r["kind"] in ("sched_in", "sched_gone") and out is not None:
        off.append((out, t))
        out = None
if len(tids) != 1:
    sys.exit(f"threads: {tids}")


def without(since, until):
    return sum(max(0, min(until, b) - max(since, a)) for a, b in off)


real, own, calls = (collections.Counter() for _ in range(3))
stack, nth, switched = [], 0, 0
for r in rows:
    t = int(r["t_mon_ns"])
    if r["kind"] == "enter":
        stack.append([names[nth], t, 0])
        nth += 1
    elif r["kind"] == "leave":
        name, since, called = stack.pop()
        cpu = t - since - without(since, t)
        switched += without(since, t) if not stack else 0
        calls[name] += 1
        real[name] += t - since
        own[name] += cpu - called
        if stack:
            stack[-1][2] += cpu
if stack or calls != CALLS:
    sys.exit(f"calls: {calls}, open: {stack}")
shown = {f["name"]: f for f in json.load(open(sys.argv[3]))["functions"]}
for name, n in CALLS.items():
    f = shown[name]
    if f["calls"] != n or abs(f["total_ns"] - real[name]) > 1000 * n or \
            abs(f["self_cpu_ns"] - own[name]) > 1000 * n:
        sys.exit(f"{name}: {f}, not {n} calls, {real[name]} ns, {own[name]} of them its own")
if not switched:
    sys.exit("it was never switched out")
print(", ".join(f"{name} {n} x {own[name] / n / 1000:.1f} us" for name, n in CALLS.items()),
      f"each by itself; {switched / 1e6:.1f} ms switched out")
