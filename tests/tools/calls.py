#!/usr/bin/env python3
"""Functions of a log, from the lines of `monitorctl dump` on standard input.

Every leave must be that of the innermost function that is open, and every
thread must have left all that it has entered.  Prints "function calls" of each,
in order of names; --paths counts "main;first;third" instead.
"""
import collections
import re
import sys

LINE = re.compile(r"^-?[0-9.]+ (\S+) (enter|leave) address=(\S+) (.*)$")
paths = "--paths" in sys.argv[1:]
counts = collections.Counter()
stacks = collections.defaultdict(list)
for text in sys.stdin:
    found = LINE.match(text)
    if not found:
        continue
    thread, kind, address, rest = found.groups()
    name = rest[rest.index("function=") + len("function="):].strip().split(" late")[0]
    stack = stacks[thread]
    if kind == "enter":
        stack.append((name, address))
        counts[";".join(n for n, _ in stack) if paths else name] += 1
    elif not stack or stack[-1][1] != address:
        sys.exit(f"{thread} leaves {name}, and is in {stack[-1:]}")
    else:
        stack.pop()
for thread, stack in stacks.items():
    if stack:
        sys.exit(f"{thread} has not left {[n for n, _ in stack]}")
for name, n in sorted(counts.items()):
    print(name, n)
