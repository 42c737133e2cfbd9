#!/bin/sh
# What the viewer says may have caused an event, and what that may have
# affected, is what monitorctl past and future say: for events of all kinds
# that have partners, thread by thread, to the nanosecond.
set -u
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-causes.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export ORRERY_DIR=$dir
fail() { echo "FAIL: $*"; exit 1; }
viewer=$BUILD/viewer/viewer ctl=$BUILD/tools/monitorctl
cd "$dir" || exit 1
"$BUILD/tests/bench/makelog" -d -n 2000 run.orr >/dev/null || fail "makelog"
show() { # SCRIPT: what it describes
	"$viewer" --headless --config "" --script "$1" run.orr 2>err ||
	    fail "$1: $(cat err)"
}

# which row is which location
printf 'wait read\nsearch PE 2\ncauses\ndescribe\n' >script
show script | sed -n 's/^  location \([0-9]*\), row \([0-9]*\),.*/\1 \2/p' >rows
[ -s rows ] || fail "no rows"

# every 61st of the events that have partners, as monitorctl names them
"$ctl" dump --names run.orr >all || fail "dump"
# times count from the start of the run; tables and --raw have the monitor's own
first=$(awk 'NR == 1 { split($1, a, "."); printf("%d", a[1] * 1000000000 + a[2]) }' all)
origin=$(($("$ctl" dump --raw run.orr | awk '$1 ~ /^[0-9]/ { print $1; exit }') - first))
"$ctl" past --tsv run.orr "$(awk 'NR == 1 { print $2 }' all)" | head -n 1 |
    grep -q '^thread.location.seq.t_mon_ns' || fail "another table"
awk '$3 ~ /^(task_spawn|task_begin|task_end|send|receive|lock_acquire|lock_release|barrier_enter|barrier_leave|object_depart|object_arrive|object_obey|future_set|future_get|thread_begin)$/ &&
    ++n % 61 == 7 { print $1, $2, $3 }' all | head -n 12 >picked
[ "$(wc -l <picked)" -ge 8 ] || fail "too few events: $(wc -l <picked)"

n=0
while read -r at name kind; do
	n=$((n + 1))
	for way in past future; do
		"$ctl" $way --tsv run.orr "$name" >$way.tsv || fail "$way $name"
	done
	here=$(awk -F'\t' -v n="$name" '
	    NR > 1 && n ~ "^" $1 ":" { print $2 }' past.tsv)
	row=$(awk -v l="$here" '$1 == l { print $2 }' rows)
	[ -n "$row" ] || fail "no row for $name ($here)"
	ns=$(echo "$at" | awk '{ split($1, a, "."); printf("%d", a[1] * 1000000000 + a[2]) }')
	printf 'wait read\ncauses both %s %sns\ndescribe\n' "$row" "$ns" >script
	show script | sed -n '/^causes:/,$p' >said
	for way in past future; do
		word=before
		[ $way = past ] || word=after
		awk -F'\t' -v o="$origin" 'NR > 1 && $4 != "" && $2 > 0 {
			printf("%d %.0f\n", $2, $4 - o)
		}' $way.tsv | sort -n >want
		sed -n "s/^  location \\([0-9]*\\),.* $word \\([-0-9]*\\).*/\\1 \\2/p" \
		    said | sort -n >got
		diff want got >differ ||
		    fail "$way of $kind $name: $(head -n 5 differ)"
	done
done <picked
echo "$n events"
