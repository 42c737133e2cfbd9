#!/bin/sh
# Opening a finished run: what `viewer --index` takes for an event, and the time
# from exec to the whole picture, exact to the last pixel: with the image that
# is kept, when the kernel has it and when it does not, and without; then until
# all that is not read yet is sketched.  Lines of bench.tsv.
# OPEN_EVENTS=100000000: another length; LOG=file: that log.
set -u
. "$(dirname "$0")/../x11/lib"
events=${OPEN_EVENTS:-10000000}
log=${LOG:-$dir/run.orr}
start_x
[ -s "$log" ] || "$makelog" -n "$events" -r 30 "$log" >/dev/null || fail makelog

# figure NAME VALUE UNIT REFERENCE VALUE: the ratio says how much better
figure() {
	printf '%s\t%s\t%s\t%s\t%s\t' "$@"
	echo "$2 $5" | awk '{ printf("%.2f\n", ($1 > 0 ? $2 / $1 : 0)) }'
}

"$viewer" --index "$log" >"$dir/out" 2>"$dir/err" || fail "--index"
read -r events seconds kept <<EOF
$(sed 's/.*: \([0-9]*\) events in \([0-9.]*\) s, \([0-9.]*\) MB.*/\1 \2 \3/' "$dir/out")
EOF
figure viewer-index "$(echo "$events $seconds" |
    awk '{ printf("%.0f", $2 / $1 * 1e9) }')" ns/event "10^8 in 8 s" 80
figure viewer-image "$(echo "$events $kept" |
    awk '{ printf("%.2f", $2 * 1e6 / $1) }')" B/event "the log" \
    "$(wc -c <"$log" | awk -v n="$events" '{ printf("%.2f", $1 / n) }')"

# drawn NAME TIMES [until FIELD] [cold] VIEWER-OPTIONS
drawn() {
	name=$1 times=$2 cold= until=finished=1
	shift 2
	if [ "${1:-}" = until ]; then
		until=$2
		shift 2
	fi
	if [ "${1:-}" = cold ]; then
		cold=$(echo "$XDG_CACHE_HOME"/orrery/*.view)
		shift
	fi
	"$BUILD/tests/bench/startup" ${cold:+-c "$cold"} -l " $until " \
	    "$times" "$viewer" --config "" --state-fd 3 "$@" "$log" >"$dir/ms" 2>"$dir/err" &&
	    read -r p50 most <"$dir/ms" || p50=0
	figure "$name" "$p50" ms "goal at 10^8" 300
}
drawn viewer-open 5
drawn viewer-open-cold 3 cold
drawn viewer-open-first 1 --no-cache
drawn viewer-open-sketch 5 until sketch=1 --no-cache
