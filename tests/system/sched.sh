#!/bin/sh
# What the kernel's scheduler did with each thread: the three states add up to
# its life, running to the CPU time that the kernel has counted; also
# after an exec and of threads that are made later; and nothing of it
# unless it is asked for.
. tests/lib.sh

command -v python3 >/dev/null || skip "no python3"
[ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 9)" -le 2 ] ||
    skip "performance events are not for users here"
counts=$BUILD/tests/apps/counts

cluster 1 "counters: 10ms, sched: yes" >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
! grep -q "cannot be recorded" "$dir/monitord.err" || skip "not possible here"
export ORRERY_NODE=n1

# What the hypervisor has taken from the processors, in ns: a thread that
# is stopped so still runs for the scheduler, but not on its CPU clock.
stolen_ns() {
	awk -v hz="$(getconf CLK_TCK)" '$1 == "cpu" { print $9 * 1e9 / hz }' \
	    /proc/stat
}
stolen=$(stolen_ns)
"$counts" >/dev/null 2>&1 || fail "the program ends with $?"
# two processes that keep the processors busy, one of which becomes another
sh -c "exec $counts" >/dev/null 2>&1 &
"$counts" >/dev/null 2>&1
wait $! || fail "the program ends with $?"
stolen=$(awk "BEGIN { print $(stolen_ns) - $stolen }")
finish
! grep -E "makes no sense|are lost" "$dir/monitord.err" || fail "it is told wrong"

"$monitorctl" report --json "$dir/run.orr" >"$dir/report"
python3 - "$dir/report" "$stolen" <<'P' || fail "states do not add up"
import json, sys
with open(sys.argv[1]) as f:
    report = json.load(f)
stolen = float(sys.argv[2])
pos = {}
for s in report["scheduler"]:
    sum_ns = s["running_ns"] + s["ready_ns"] + s["blocked_ns"]
    assert sum_ns == s["life_ns"], s
    assert s["known_by"] == "perf_event", s
    pos.setdefault(s["po"], []).append(s)
assert len(pos) == 3, pos
cpu = {c["of"]: c["last"] for c in report["counters"] if c["name"] == "cpu"}
for po, threads in pos.items():
    running = sum(s["running_ns"] for s in threads)
    assert len(threads) == 2, threads
    # what switching takes is in the kernel's figure only; the counter is as
    # of its last reading, at most 10 ms and a late tick before the end
    most = cpu[po] * 1.01 + 20e6 + stolen
    assert cpu[po] * 0.9 < running <= most, (po, running, cpu[po], stolen)
    # the worker computes 150 ms, the other one waits for it
    main, worker = sorted(threads, key=lambda s: s["running_ns"])
    assert worker["running_ns"] >= 149e6, worker
    assert main["blocked_ns"] >= 299e6, main
functions = {f["name"]: f for f in report["functions"]}
work, nap = functions["work"], functions["nap"]
assert work["cpu_known"] and nap["cpu_known"], functions
# what was switched out is not CPU time: neither its naps nor other programs
assert nap["calls"] == 9 and nap["total_ns"] >= 9e6, nap
assert nap["cpu_ns"] < nap["total_ns"] / 4, nap
assert 3 * 149e6 < work["cpu_ns"] < 3 * 149e6 * 1.4 + stolen, work
assert work["self_cpu_ns"] == work["cpu_ns"] - nap["cpu_ns"], work
P
if [ -x "$BUILD/viewer/viewer" ]; then
	python3 -B "$tests/oracle/oracle" --build "$BUILD" --ranges 30 \
	    --only states,spread,processors "$dir/run.orr" || fail "figures that are not true"
fi

# nobody has asked
rm -f "$dir"/run*.orr
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$counts" >/dev/null 2>&1
finish
! "$monitorctl" dump "$dir/run.orr" | grep -q sched_ || fail "not asked for"
