#!/bin/sh
# Where a sampler finds a program, and for how long, is where its own word says
# that it was: the same log has each call, by a compiler switch.  Nothing of
# it unless it is asked for.
. tests/lib.sh

command -v python3 >/dev/null || skip "no python3"
[ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 9)" -le 2 ] ||
    skip "performance events are not for users here"
sampled=$BUILD/tests/apps/sampled

# sample OPTIONS MILLISECONDS: the program, in a run of its own
sample() {
	rm -f "$dir"/run*.orr
	cluster 1 "$1" >"$dir/c.yaml"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	! grep -q "cannot be recorded" "$dir/monitord.err" || skip "not possible here"
	ORRERY_NODE=n1 "$sampled" "$2" || fail "the program ends with $?"
	finish
}

sample "sample: 4000" 400
! grep -E "makes no sense|are lost" "$dir/monitord.err" || fail "it is told wrong"
"$monitorctl" report --json "$dir/run.orr" >"$dir/report"
python3 - "$dir/report" <<'P' || fail "samples are not where the program was"
import json, sys
with open(sys.argv[1]) as f:
    report = json.load(f)
(how,), (sched,) = report["sampling"], report["scheduler"]
assert how["rate_hz"] == 4000 and how["known_by"] == "perf_event", how
assert how["samples"] > 100 and how["nowhere"] == 0, how
# all of the time that it had a processor, but for that after the last sample
assert sched["running_ns"] * 0.8 < how["cpu_ns"] <= sched["running_ns"], how
sampled = {f["name"]: f for f in report["sampled"]}
exact = {f["name"]: f for f in report["functions"]}
works = [f"work_{c}" for c in "abcdefghij"]
all_exact = sum(exact[f]["self_cpu_ns"] for f in works)
all_sampled = sum(sampled[f]["self_ns"] for f in works)
assert all_sampled > how["cpu_ns"] * 0.8, sampled
for f in works:
    p = exact[f]["self_cpu_ns"] / all_exact
    q = sampled[f]["self_ns"] / all_sampled
    # what chance may do with so many samples, and a point
    sigma = (p * (1 - p) / how["samples"]) ** 0.5
    assert abs(p - q) < 5 * sigma + 0.01, (f, p, q, how)
# who calls whom: by frame pointers; who is found at the first instructions of
# a function, before it has a frame, seems to be called by its caller's caller
outer = sampled["round_of_work"]
assert outer["total_ns"] >= all_sampled * 0.98, (outer, all_sampled)
assert outer["self_ns"] < outer["total_ns"] * 0.1, outer
assert sampled["main"]["within"] >= outer["within"], sampled["main"]
P
if [ -x "$BUILD/viewer/viewer" ]; then
	python3 -B "$tests/oracle/oracle" --build "$BUILD" --ranges 2 --only samples \
	    "$dir/run.orr" || fail "figures that are not true"
fi

# nobody has asked
sample "sched: yes" 10
! "$monitorctl" dump "$dir/run.orr" | grep -q sample_ || fail "not asked for"

# begun and ended while it runs
rm -f "$dir"/run*.orr
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
found() { "$monitorctl" dump "$dir/run.orr" 2>/dev/null | grep -c sample_found; }
from() { "$monitorctl" dump "$dir/run.orr" 2>/dev/null | grep -q "sample_from rate=$1 "; }
ORRERY_NODE=n1 ORRERY_FULL=wait "$sampled" 60000 &
program=$!
begun() { "$monitorctl" dump "$dir/run.orr" 2>/dev/null | grep -q "po_begin.*sampled"; }
wait_for 30 "the program" begun
"$monitorctl" probe +sample --program sampled >"$dir/out" 2>&1 || fail "probe +sample: $(cat "$dir/out")"
wait_for 30 "that it begins" from 999
some() { [ "$(found)" -gt 20 ]; }
wait_for 30 "samples" some
"$monitorctl" probe -sample >"$dir/out" 2>&1 || fail "probe -sample: $(cat "$dir/out")"
wait_for 30 "that it ends" from 0
calls() { "$monitorctl" dump --kind enter "$dir/run.orr" 2>/dev/null | wc -l; }
before=$(calls)
later() { [ "$(calls)" -gt $((before + 200)) ]; }
wait_for 30 "what comes later" later
kill $program
wait $program 2>/dev/null
finish
"$monitorctl" dump "$dir/run.orr" >"$dir/dump"
awk '$3 == "sample_from" { rate = $4 } $3 == "sample_found" && rate != "rate=999" { bad++ }
    END { exit bad > 0 }' "$dir/dump" || fail "samples where there should be none"
says "$dir/dump" "sched_from"
