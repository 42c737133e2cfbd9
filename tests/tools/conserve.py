#!/usr/bin/env python3
"""Is the time of each thread accounted for, and is it what the kernel says?

    conserve.py ROWS REPORT CPU_S [STOLEN_S]

ROWS is `monitorctl dump --raw` of a run with `sched: yes` in which one program
ran, REPORT is `monitorctl report --json` of it, CPU_S the processor time of that
program, which the kernel told who waited for it; STOLEN_S is what a hypervisor
has taken meanwhile, which counts as running for the scheduler and not as
processor time.  What a thread was doing is found out from the records alone.
Between the first and the last of a thread each moment is running, ready or
blocked; no two threads run on one processor at a time; the report has the same
to a nanosecond; and what all have run is the kernel's figure within 1 %."""
import csv
import json
import sys
from collections import defaultdict

KINDS = {"sched_in": "running", "sched_out": "blocked", "sched_new": "ready",
         "sched_gone": None}
threads, faults = defaultdict(list), []
for row in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
    if row["kind"] in KINDS:
        threads[int(row["a"], 0)].append(row)


def instant(row):
    return int(row["t_mon_ns"])


running, processors = 0, defaultdict(list)
sums = {}
for tid, rows in threads.items():
    spent = dict.fromkeys(("running", "ready", "blocked"), 0)
    for row, after in zip(rows, rows[1:]):
        kind, span = row["kind"], instant(after) - instant(row)
        state = "ready" if kind == "sched_out" and int(row["c"], 0) else KINDS[kind]
        if span < 0 or state is None:
            faults.append(f"{tid}: {kind} before {after['kind']}")
            continue
        if (state == "running") != (after["kind"] == "sched_out") and not (
                after["kind"] == "sched_gone"):
            faults.append(f"{tid}: {after['kind']} while {state}")
        spent[state] += span
        if state == "running":
            processors[row["b"]].append((instant(row), instant(after), tid))
    sums[tid] = spent
    running += spent["running"]
    if sum(spent.values()) != instant(rows[-1]) - instant(rows[0]):
        faults.append(f"{tid}: {spent} is not its life")
for cpu, spans in processors.items():
    spans.sort()
    for a, b in zip(spans, spans[1:]):
        if b[0] < a[1]:
            faults.append(f"processor {cpu}: {a} and {b} at a time")
report = json.load(open(sys.argv[2]))["scheduler"]
shown = sorted(tuple(s[k + "_ns"] for k in ("running", "ready", "blocked"))
               for s in report)
for s in report:
    if s["life_ns"] != s["running_ns"] + s["ready_ns"] + s["blocked_ns"]:
        faults.append(f"report: {s}")
if shown != sorted(tuple(s.values()) for s in sums.values()):
    faults.append("the report has other states")
cpu_ns = float(sys.argv[3]) * 1e9
stolen_ns = float(sys.argv[4]) * 1e9 if len(sys.argv) > 4 else 0
if not cpu_ns * 0.99 <= running <= cpu_ns * 1.01 + stolen_ns:
    faults.append(f"{running} ns were run, {cpu_ns:.0f} for the kernel")
print("\n".join(faults[:20]))
print(f"{len(threads)} threads, {sum(map(len, threads.values()))} records, running "
      f"{running / 1e9:.6f} s, for the kernel {cpu_ns / 1e9:.6f} s: "
      f"{100 * running / cpu_ns - 100:+.3f} %; stolen {stolen_ns / 1e9:.3f} s; "
      f"{len(faults)} faults")
sys.exit(1 if faults or not threads else 0)
