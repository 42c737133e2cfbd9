#!/bin/sh
# Nothing of ours harms a program: each situation of tests/apps/situations as a
# program with libprobe, in all states that libprobe may be in, and compiled
# with -DPROBE_OFF: what it says, and how it ends, must be the same.
# ROUNDS=n does all that n times (make proof).
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
with=$BUILD/tests/apps/harm without=$BUILD/off/tests/apps/harm
work=$dir/work
mkdir -m 755 "$work"
differ=0 runs=0

# compare STATE [VARIABLE=VALUE...]: all situations with libprobe
compare() {
	state=$1
	shift
	env "$@" "$without" drive "$with" "$work" >"$dir/$state" 2>&1 ||
	    { cat "$dir/$state"; fail "$state"; }
	runs=$((runs + 1))
	diff -U 4 "$dir/without" "$dir/$state" >"$dir/diff" && return
	differ=$((differ + 1))
	echo "-- with libprobe, $state:"
	sed 1,2d "$dir/diff" | head -n 60
}
ours_of() {
	ours | while read -r p; do
		tr '\0' ' ' 2>/dev/null <"/proc/$p/cmdline" |
		    grep -q -- "--internal=$1" && echo "$p"
	done
}

# a runtime directory on a disk without a free byte
disk=$dir/disk
filled=no
unmount() {
	code=$?
	umount -l "$disk"
	(exit $code)
	cleanup
}
mkdir "$disk"
if mount -t tmpfs -o size=64k,mode=700 none "$disk" 2>/dev/null; then
	filled=yes
	trap unmount EXIT
	mkdir -m 700 "$disk/run"
	cat /dev/zero >"$disk/fill" 2>/dev/null
fi

round() {
	"$without" drive "$without" "$work" >"$dir/without" 2>&1 ||
	    fail "the situations themselves"
	grep -B 1 '^HANGS' "$dir/without" && fail "a situation hangs by itself"
	compare off ORRERY=off
	mkdir -m 700 "$dir/empty"
	compare alone ORRERY_DIR="$dir/empty"
	ls -A "$dir/empty" | grep . && fail "it leaves files behind"
	rmdir "$dir/empty"
	[ $filled = no ] || compare full ORRERY_DIR="$disk/run"

	cluster 1 >"$dir/c.yaml"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	compare attached
	worker=$(ours_of worker)
	[ -n "$worker" ] || fail "no worker"
	kill -STOP "$worker"
	compare silent
	kill -CONT "$worker"
	compare again
	"$monitorctl" shutdown >"$dir/receipt" 2>&1
	wait "$monitord_pid"
	monitord_pid=
	"$monitorctl" check --quiet "$dir/run.orr" >"$dir/check" 2>&1 ||
	    { cat "$dir/check"; fail "the log does not check"; }
	rm -f "$dir/run.orr"
}

to_do=${ROUNDS:-1} # i is what the functions of lib.sh count with
while [ "$to_do" -gt 0 ]; do
	round
	to_do=$((to_do - 1))
done
[ $filled = yes ] || echo "no tmpfs can be mounted: a full disk was left out"
grep '^left out' "$dir/without" | sort | uniq -c
echo "$("$without" list | wc -l) situations, $runs times each, $differ times with differences"
[ $differ -eq 0 ]
