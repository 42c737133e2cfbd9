#!/usr/bin/env python3
"""Are the messages of MPI programs matched as they were sent?

    matched.py ROWS COUNTS

ROWS is `monitorctl dump --raw` of a run, COUNTS has lines "RANK sent N BYTES
received N BYTES", or without the words, as the programs or a profiler of their
own have counted; - for none.  Each message is received once, behind its sending
and with as many bytes; of each rank, told by the thread that has its number in
its name, there are as many as were counted; each collective operation has all
its parties, and nobody has left it before those came whom it waits for.
What waits does so in a function of MPI's: it has entered that just before, or
has sent since; and when it leaves that, or says what it does, it waits no more.
A wait that ends without a message had begun."""
import csv
import re
import sys
from collections import Counter, defaultdict

rows = list(csv.DictReader(open(sys.argv[1]), delimiter="\t"))
sent, received, all_in, parts, given = {}, set(), defaultdict(list), defaultdict(list), {}
left, by_rank = Counter(), defaultdict(lambda: [0, 0, 0, 0])
names, faults = {}, []
WAITS, MAY_BE_BEFORE = ("receive_wait", "collective_enter"), ("enter", "send")
WAIT_ENDS = ("receive", "receive_giveup")
# the tag of what ends.c has too little room for: MPI does not say how much has come
CUT = 47
was = {}  # the kind of what each location has told last
waiting = {}  # of each location, the receive_wait that has not ended


def fault(what, row):
    faults.append(f"{what}: {dict(row)}")


for at, row in enumerate(rows):
    kind, a, b = row["kind"], int(row["a"], 0), int(row["b"], 0)
    key, parties, where = (a, b), int(row["c"], 0), row["location"]
    if kind in WAITS and was.get(where) not in MAY_BE_BEFORE:
        fault(f"waits outside of what it has called, behind {was.get(where)}", row)
    if kind in WAIT_ENDS:
        if waiting.pop(where, None) is None and kind == "receive_giveup":
            fault("gives up what it did not wait for", row)
    elif kind == "receive_wait":
        if where in waiting:
            fault("waits twice", row)
        waiting[where] = row
    elif where in waiting and kind in ("enter", "leave", "state", "send") or \
            where in waiting and kind.startswith(("collective_", "rooted_", "task_")):
        fault(f"{kind} while it waits", waiting.pop(where))
    was[where] = kind
    if kind == "send":
        if a in sent:
            fault("sent twice", row)
        sent[a] = at, b
        by_rank[where][0] += 1
        by_rank[where][1] += b
    elif kind == "receive" and a != 0:
        if a in received:
            fault("received twice", row)
        if a not in sent:
            fault("was not sent before", row)
        elif sent[a][1] != b and (parties, b) != (CUT, 0):
            fault(f"{sent[a][1]} bytes were sent", row)
        received.add(a)
        by_rank[where][2] += 1
        by_rank[where][3] += b
    elif kind == "collective_enter":
        all_in[key].append(where)
    elif kind == "collective_leave":
        if len(all_in[key]) != parties:
            fault("not all have come", row)
        left[key] += 1
    elif kind == "rooted_give":
        given[key] = at
    elif kind == "rooted_get":
        if key not in given:
            fault("nothing was given", row)
    elif kind == "rooted_part":
        parts[key].append(where)
    elif kind == "rooted_whole" and len(parts[key]) != parties:
        fault("a part is missing", row)
for row in waiting.values():
    fault("waits for ever", row)
for a in sent:
    if a not in received:
        fault("was not received", rows[sent[a][0]])
for key, who in all_in.items():
    if left[key] != len(who):
        fault("has not been left by all", {"collective": key})
counts = Counter()
if sys.argv[2] != "-":
    for line in open(sys.argv[2]):
        words = re.findall(r"\d+", line)
        counts[tuple(map(int, words[1:5]))] += 1
    shown = Counter(tuple(v) for v in by_rank.values())
    for one in sorted(set(counts) | set(shown)):
        if counts[one] != shown[one] and one != (0, 0, 0, 0):
            faults.append(f"ranks with sent, bytes, received, bytes {one}: "
                f"{shown[one]} in the log, {counts[one]} in truth")
print("\n".join(faults[:20]))
print(f"{len(sent)} messages, {sum(b for _, b in sent.values())} bytes, {len(all_in)} "
    f"operations of all, {len(given)} from one, {len(parts)} to one; {len(faults)} faults")
sys.exit(1 if faults or not sent else 0)
