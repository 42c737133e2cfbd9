#!/usr/bin/env python3
"""What `status` has told of a machine is what its counters in the log say.

Readings are put together out of `dump`, line by line; shares nothing with
monitord."""
import json
import re
import subprocess
import sys

MONITORCTL, STATUS, LOG = sys.argv[1:4]


def dump(*options):
    return subprocess.run([MONITORCTL, "dump", "--kind", "measure", *options,
        LOG], capture_output=True, text=True, check=True).stdout.splitlines()


raw = [line.split("\t") for line in dump("--raw") if "\tmeasure\t" in line]
readings = {}  # node -> [(t_node_ns, {name: value})]
for line, words in zip(dump(), raw):
    node = line.split()[1].split("/")[0]
    what = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', line))
    if what["measure"].strip('"').split(",")[0] != "node":
        continue
    t = int(words[1])
    of = readings.setdefault(node, [])
    if not of or t > of[-1][0]:
        of.append((t, dict(of[-1][1]) if of else {}))
    of[-1][1][what["counter"].strip('"')] = int(what["value"])

told = 0
for node in json.load(open(STATUS))["nodes"]:
    host = node.get("host")
    if host is None:
        continue
    should = []
    for (t0, a), (t1, b) in zip([(0, {})] + readings[node["name"]],
            readings[node["name"]]):
        d = lambda name: b[name] - a[name]
        h = {}
        if {"cpu user", "cpu system", "cpu idle"} <= set(a):
            busy = d("cpu user") + d("cpu system")
            h["cpu_percent"] = 100 * busy / max(busy + d("cpu idle"), 1)
        if "load" in b:
            h["load"] = b["load"] / 1000
        if "memory used" in b:
            h["memory_bytes"] = b["memory used"]
        for key, name in (("received_bytes_per_s", "network received"),
                ("sent_bytes_per_s", "network sent")):
            if name in a:
                h[key] = d(name) / (t1 - t0) * 1e9
        should.append(h)
    have = {k: float(v) for k, v in host.items() if k != "age_ms"}
    near = lambda x, y: abs(x - y) <= 0.51 * 10 ** -(1 if x < 1000 else 0) + 1e-9
    if not any(h.keys() == have.keys() and
            all(near(h[k], have[k]) for k in h) for h in should):
        sys.exit(f"{node['name']}: {have} is none of {should}")
    told += "cpu_percent" in have
if told == 0:
    sys.exit("nothing was told of a machine")
print(f"{told} machines")
