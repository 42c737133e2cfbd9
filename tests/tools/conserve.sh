#!/bin/sh
# A program with many threads, as it is: each moment of each of them is running,
# ready or blocked, no two have one processor at a time, and what they have run
# is what the kernel says (conserve.py).
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v xz >/dev/null && command -v python3 >/dev/null || skip "no xz, or no python3"
[ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 9)" -le 2 ] ||
    skip "performance events are not for users here"

stolen_s() {
	awk -v hz="$(getconf CLK_TCK)" '$1 == "cpu" { print $9 / hz }' /proc/stat
}
cluster 1 "sched: yes" >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
! grep -q "cannot be recorded" "$dir/monitord.err" || skip "not possible here"
head -c 12000000 /dev/urandom | od -An -x >"$dir/in"
stolen=$(stolen_s)
ORRERY_NODE=n1 python3 - "$dir/in" "$BUILD/libprobe-auto.so" "$dir/cpu" <<'P' || fail "xz"
import os, sys
text, library, cpu = sys.argv[1:4]
env = dict(os.environ, LD_PRELOAD=library, ORRERY_RUN=str(os.getpid()))
pid = os.posix_spawnp("xz", ["xz", "-T6", "-1", "-kc", "--block-size=1000000", text],
    env, file_actions=[(os.POSIX_SPAWN_OPEN, 1, text + ".xz", os.O_WRONLY | os.O_CREAT, 0o600)])
_, status, used = os.wait4(pid, 0)
open(cpu, "w").write(f"{used.ru_utime + used.ru_stime:f}\n")
sys.exit(status != 0)
P
stolen=$(awk "BEGIN { print $(stolen_s) - $stolen }")
finish
"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
"$monitorctl" report --json "$dir/run.orr" >"$dir/report"
python3 tests/tools/conserve.py "$dir/rows" "$dir/report" "$(cat "$dir/cpu")" "$stolen" ||
    fail "not all time is accounted for"
