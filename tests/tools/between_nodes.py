#!/usr/bin/env python3
"""Messages from node to node in two logs, out of `dump`: as Compare tells them.

Reads lines only; shares nothing with the viewer."""
import collections
import re
import subprocess
import sys

MONITORCTL, A, B = sys.argv[1:4]


def messages(log):
    """(from, to) -> [how many were taken, bytes]"""
    text = subprocess.run([MONITORCTL, "dump", "--kind", "send,receive", log],
        capture_output=True, text=True, check=True).stdout
    sent, pairs = {}, collections.defaultdict(lambda: [0, 0])
    for line in text.splitlines():
        _, where, kind, *words = line.split()
        node = where.split("/")[0]
        word = dict(re.findall(r"(\w+)=(\S+)", " ".join(words)))
        if kind == "send":
            sent[word["message"]] = node, int(word["size"])
        elif kind == "receive" and word["message"] in sent:
            who, size = sent[word["message"]]
            pairs[who, node][0] += 1
            pairs[who, node][1] += size
    return pairs


a, b = messages(A), messages(B)
outside = lambda p: sum(n for (x, y), (n, _) in p.items() if x != y)
total = lambda p: sum(n for n, _ in p.values())
print(f"  messages between nodes: {outside(a)} of {total(a)}, "
      f"there {outside(b)} of {total(b)}")
for x, y in sorted({*a, *b}):
    print(f"  messages {x} to {y}: {a[x, y][0]}, {a[x, y][1]} bytes, "
          f"there {b[x, y][0]}, {b[x, y][1]} bytes")
