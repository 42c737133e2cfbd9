"""plugin.py DUMP WAITS LOCKS MESSAGES PULSE EVENTS.DEF

What the two examples of plug-ins have said, against the events of a log: the
waits of each thread, all, for locks and for messages, and events of each class
in 10 to 20 ms.  Reads only what `monitorctl dump` prints and the table of
kinds."""
import collections
import re
import sys

dump, waits, locks, messages, pulse, table = sys.argv[1:]
kinds = {m[1]: m.groups()[1:] for m in re.finditer(
    r"^EVENT\((\w+), *\d+, *(\w+), *(\w+), *(\w+),", open(table).read(), re.M)}

since, waited, classes = {}, {}, collections.Counter()
for path in waits, locks, messages:
    waited[path] = collections.Counter()
for line in open(dump):
    time, place, kind = line.split()[:3]
    t_ns = int(time.replace(".", ""))
    class_, shape, span = kinds[kind]
    classes[class_] += 10_000_000 <= t_ns <= 20_000_000
    if span not in ("wait_lock", "wait_message"):
        continue
    begun = since.pop(place, None)
    if shape == "END" and begun is not None:
        for path in waits, locks if span == "wait_lock" else messages:
            waited[path][place] += t_ns - begun
    if shape == "BEGIN":
        since[place] = t_ns


def told(path):
    """The lines of a plug-in: what they end with, by the word before it."""
    lines = open(path).read().split("\nplug-in ")[1].split("\n")[1:]
    lines = lines[1 + lines[0].startswith("  opened with: "):]
    return [m.groups() for m in map(re.compile(
        r"  (?:.* )?(\S+): (\S+)(?: ms)?$").match, lines) if m]


for path, of in waited.items():
    is_waits = [(place, round(float(ms) * 1e6)) for place, ms in told(path)]
    if sorted(is_waits) != sorted((p, n) for p, n in of.items() if n > 0):
        sys.exit(f"{path}: {is_waits}, and the events say {of}")
    if [n for _, n in is_waits] != sorted((n for _, n in is_waits),
                                          reverse=True):
        sys.exit(f"not the longest first: {is_waits}")
is_classes = {name: int(n) for name, n in told(pulse)}
if is_classes != {k: n for k, n in classes.items() if k in is_classes} or \
        sum(is_classes.values()) != sum(classes.values()):
    sys.exit(f"classes: {is_classes}, and the events say {classes}")
if min(len(told(waits)), len(told(messages))) < 10 or len(is_classes) < 4:
    sys.exit("hardly anything was told")
