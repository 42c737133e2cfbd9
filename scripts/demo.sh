#!/bin/sh
# The main job: four nodes on this machine, whose clocks are seconds apart and
# drift, three real programs one after another, the viewer watching, two
# pictures from it, shutdown, receipt, report.  All that it leaves is in
# demo-out/.
#
#	BUILD		where the programs are (build)
#	DEMO_OUT	where the results go (demo-out)
#	DISPLAY		the viewer's; without it, or if it does not work, Xvfb
set -u

BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
out=${DEMO_OUT:-demo-out}
monitord=$BUILD/monitord/monitord
monitorctl=$BUILD/tools/monitorctl
viewer=$BUILD/viewer/viewer
examples=$BUILD/examples
size=1600x1000

began=$(date +%s)
dir= monitord_pid= viewer_pid= xvfb_pid=

say() { printf 'demo: %2d s  %s\n' $(($(date +%s) - began)) "$*"; }

# end PID SECONDS: politely, then not
end() {
	[ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 0
	kill "$1" 2>/dev/null
	n=$(($2 * 20))
	while kill -0 "$1" 2>/dev/null && [ $n -gt 0 ]; do
		sleep 0.05
		n=$((n - 1))
	done
	kill -KILL "$1" 2>/dev/null
}

cleanup() {
	trap '' EXIT INT TERM HUP
	exec 3>&- 2>/dev/null
	end "$viewer_pid" 2
	end "$monitord_pid" 10 # it ends its collectors, too
	end "$xvfb_pid" 2
	[ -z "$dir" ] || rm -rf "$dir"
}
trap cleanup EXIT
trap 'say "interrupted"; exit 130' INT
trap 'exit 143' TERM HUP

die() { # CODE WORDS...
	code=$1
	shift
	say "FAILED: $*" >&2
	for f in monitord viewer; do
		[ -s "$dir/$f.err" ] || continue
		echo "-- $f says:" >&2
		tail -n 15 "$dir/$f.err" >&2
	done
	exit "$code"
}

# wait_for SECONDS WHAT COMMAND...
wait_for() {
	limit=$(($1 * 20)) what=$2
	shift 2
	while ! "$@" >/dev/null 2>&1; do
		limit=$((limit - 1))
		[ $limit -gt 0 ] || die 75 "waited in vain for $what"
		sleep 0.05
	done
}

for p in "$monitord" "$BUILD/collector/collector" "$monitorctl" "$viewer" \
    "$examples/pascal" "$examples/mergesort" "$examples/drones"; do
	[ -x "$p" ] || { echo "demo: $p is missing; run make first" >&2; exit 69; }
done
mkdir -p "$out" || exit 73
exec 9>"$out/.lock" || exit 73
flock -n 9 || { echo "demo: another demo is writing to $out" >&2; exit 75; }
out=$(cd "$out" && pwd)
rm -f "$out"/*.png "$out"/run.orr* "$out"/*.txt
dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-demo.XXXXXX") || exit 73
export ORRERY_DIR="$dir/run"
unset ORRERY_NODE ORRERY
mkdir -m 700 "$ORRERY_DIR"

# --- four nodes; clocks: seconds apart, up to 100 ppm ---
cat >"$dir/cluster.yaml" <<'YAML'
name: demo
defaults: { launch: local }
nodes:
  - { name: n1, test_clock: "0,0" }
  - { name: n2, test_clock: "-3.2,100" }
  - { name: n3, test_clock: "+5.7,-80" }
  - { name: n4, test_clock: "-1.4,-100" }
YAML
"$monitord" --log "$out/run.orr" "$dir/cluster.yaml" 2>"$dir/monitord.err" 9>&- &
monitord_pid=$!
on_the_clock() {
	[ "$("$monitorctl" status | grep -cE 'clock: *(locked|coarse)')" -eq 4 ]
}
wait_for 15 "the four nodes" on_the_clock
say "monitord runs with four nodes, whose clocks are up to 8.9 s apart and drift by up to 100 ppm"

# --- the viewer, told what to do through a pipe ---
start_xvfb() {
	command -v Xvfb >/dev/null || die 69 "no X display, and Xvfb is not installed"
	Xvfb -displayfd 8 -noreset -nolisten tcp -screen 0 "${size}x24" 8>"$dir/display" 9>&- >/dev/null 2>&1 &
	xvfb_pid=$!
	wait_for 10 Xvfb test -s "$dir/display"
	DISPLAY=:$(cat "$dir/display")
	export DISPLAY
}
start_viewer() {
	rm -f "$dir/commands"
	mkfifo "$dir/commands" || exit 73
	: >"$dir/state"
	"$viewer" --size $size --script - --state-fd 7 <"$dir/commands" 7>"$dir/state" 9>&- >"$dir/viewer.out" 2>"$dir/viewer.err" &
	viewer_pid=$!
	exec 3>"$dir/commands"
	n=0
	until [ -s "$dir/state" ]; do
		kill -0 $viewer_pid 2>/dev/null && [ $n -lt 200 ] || return 1
		n=$((n + 1))
		sleep 0.05
	done
}
own=${DISPLAY:-}
[ -n "$own" ] || start_xvfb
if ! start_viewer; then
	[ -n "$own" ] || die 70 "the viewer does not start"
	say "the display $own cannot be used; taking Xvfb"
	exec 3>&-
	end "$viewer_pid" 2
	start_xvfb
	start_viewer || die 70 "the viewer does not start"
fi
say "the viewer watches on display $DISPLAY"

# tell COMMAND...: to the viewer, one line each
tell() {
	kill -0 "$viewer_pid" 2>/dev/null || die 70 "the viewer has ended"
	for c in "$@"; do echo "$c" >&3; done
}
# picture FILE VIEW [WxH]
picture() {
	tell "wait frame 2" "snapshot $out/$1 $2 ${3:-$size}"
	wait_for 20 "the picture $1" test -s "$out/$1"
}
# program WORDS...: runs it on the first node, shows what it prints
program() {
	say "$*"
	p=$1
	shift
	"$monitorctl" run --node n1 "$examples/$p" "$@" >"$dir/$p.out" 2>&1 9>&- ||
	    { cat "$dir/$p.out"; die 70 "$p ended with $?"; }
	cut -c 1-100 "$dir/$p.out" | sed 's/^/             /'
}

tell live
program pascal 35 --pes 5
tell "wait tasks 2235" "colour pe"
picture radial.png radial
say "the reduction tree of pascal: $out/radial.png"
program mergesort --placement spread
program mergesort --placement packed
program drones
"$monitorctl" status | sed 's/^/             /'
tell "fit-all"
picture process-time.png process-time 1600x1150 # down to the objects
picture viewer.png all
say "all of it, by process and time: $out/process-time.png"

# --- the end ---
say "shutdown"
"$monitorctl" shutdown >"$out/receipt.txt" 2>&1
code=$?
sed 's/^/             /' "$out/receipt.txt"
[ $code -eq 0 ] || die $code "the receipt is not good"
tell "wait finished" quit
wait "$viewer_pid"
code=$?
viewer_pid=
[ $code -eq 0 ] || die $code "the viewer ended with $code"
wait "$monitord_pid"
code=$?
monitord_pid=
[ $code -eq 0 ] || die $code "monitord ended with $code"

"$monitorctl" check "$out/run.orr" >"$out/check.txt" 2>&1
code=$?
sed 's/^/             /' "$out/check.txt"
[ $code -eq 0 ] || die $code "the log is not what it should be"
"$monitorctl" report "$out/run.orr" >"$out/report.txt" || die $? "no report"
sed -n '/^threads/q;s/^/             /;p' "$out/report.txt"
say "done: $out/run.orr, radial.png, process-time.png, viewer.png, report.txt"
exit 0
