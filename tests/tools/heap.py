"""Holds the log and the report of a program against what it is known to do with
its memory.

    heap.py PROGRAM LEVEL MONITORCTL LOG"""
import collections
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle"))
from events import Known, events  # noqa: E402

program, level, monitorctl, log = sys.argv[1:]
known = Known(log)
rows = events(monitorctl, log)
memory = json.loads(subprocess.run([monitorctl, "report", "--json", log],
    stdout=subprocess.PIPE, check=True).stdout)["memory"]
MAPPED = 3 << 20
ROUNDS, THREADS = 2000, 4


def need(true, *values):
    if not true:
        sys.exit(f"{program} {level}: {values}")


def where(at):
    node, po, thread, name = known.threads[at]
    return f"{known.node_name(node)}/{po}.{thread}"


def pieces():
    """No address has two owners.  What is left, and by thread how many were
    made, freed and were no piece."""
    left = {}
    made, freed, nulls = (collections.Counter() for i in range(3))
    for e in rows:
        key = known.place(e.at), e.a
        if e.kind == "mem_alloc":
            need(key not in left, "two owners", vars_of(e))
            left[key] = e.at, e.b
            made[where(e.at)] += 1
        elif e.kind == "mem_free" and e.a == 0:
            nulls[where(e.at)] += 1
        elif e.kind == "mem_free":
            left.pop(key, None)
            freed[where(e.at)] += 1
    return left, made, freed, nulls


def vars_of(e):
    return e.t, e.kind, hex(e.a), e.b, where(e.at)


# each run has its own number
PO = f"n1/{min(po for node, po in known.pos)}"
heap = {h["location"]: h for h in memory["heap"]}
kinds = collections.Counter(e.kind for e in rows)
left, made, freed, nulls = pieces()

if level == "off":
    need(not heap and not any(k.startswith(("mem_", "heap_")) for k in kinds),
        kinds)
    sys.exit()

# threads tell of themselves before they end
need(heap, "no sums")
if program == "leaks" and level != "sample":
    h = heap[PO + ".2"]
    need(h["pieces"] - h["freed"] == 6 and h["given_bytes"] -
        h["freed_bytes"] == 6000 and h["null_frees"] == 1, h)
if level == "counts":
    need(not made and not freed and not nulls, "pieces", made)
if program == "heap":
    need(heap[PO + ".1"]["mapped_bytes"] == 3 * MAPPED and
        heap[PO + ".1"]["unmapped_bytes"] == 3 * MAPPED, "maps", heap)

if level == "all":
    # a thread tells of a piece each time that it counts one
    for at, h in heap.items():
        if at != PO + ".1" and at.startswith(PO + "."):
            # but for one that realloc() could not make larger
            again = 1 if program == "heap" and made[at] == 11 else 0
            need(h["pieces"] + again == made[at] and h["freed"] + again ==
                freed[at] and h["null_frees"] == nulls[at], at, h, made[at],
                freed[at], nulls[at])
    for e in rows:
        if e.kind in ("mem_alloc", "mem_free"):
            text = known.name(e.c) if e.c else ""
            need(text.count(" < ") < 16, text)
if level == "all" and program == "leaks":
    mine = [(at, n) for at, n in left.values() if n == 1000]
    need(len(mine) == 9, len(mine))
    need(collections.Counter(where(at) for at, n in mine) ==
        {PO + ".1": 4, PO + ".2": 5}, mine)
    need(memory["freed_elsewhere"] == 1, memory)
    need(nulls[PO + ".2"] == 1, nulls)
    rest = [r for r in memory["never_freed"] if r["name"].startswith("leaks+")]
    need(sorted((r["location"], r["pieces"], r["bytes"], r["given_bytes"]) for
        r in rest) == [(PO + ".1", 4, 4000, 4000), (PO + ".2", 5, 5000, 5000)],
        rest)
    # main calls it, and a function that the C library calls for a thread
    need(all(" < leaks+" in r["name"] and " < libc.so.6+" in r["name"] for r in
        rest), rest)
if level == "all" and program == "heap":
    stacks = {e.c for e in rows if e.kind == "mem_alloc" and e.b == 9016}
    need(len(stacks) >= 3000, "stacks", len(stacks))
    need(sum(e.kind == "mem_alloc" and e.b == 9033 for e in rows) == 100,
        "handler")
    children = {p for p in known.pos if f"n1/{p[1]}" != PO}
    need(len(children) == 3, children)
    # each asks for one of 9,666, and gives one back that its parent had
    need(sum(e.kind == "mem_alloc" and e.b == 9666 for e in rows) == 3, "child")
    need(memory["unknown_frees"] >= 3, memory["unknown_frees"])
    need(sum(e.kind == "mem_alloc" and e.b == 9077 and known.name(e.c).startswith(
        "heap+") for e in rows) == 1, "operator new")
if level == "sample":
    # 10^5 pieces of 1,000 bytes, one of 524 is picked: 190 +- 5 deviations
    picked = sum(p["picked"] for p in memory["picked"])
    need(abs(picked - 190) < 70, picked)
    about = sum(p["about_bytes"] for p in memory["picked"])
    need(abs(about - 1e8) < 1e8 * 5 / math.sqrt(190), about)
    need(kinds["mem_free"] <= picked, kinds)
