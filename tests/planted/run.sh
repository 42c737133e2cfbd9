#!/bin/sh
# Plants bugs and has the simulator find them.
#
#	tests/planted/run.sh [--seeds N] [--jobs N] [--all | --few | NAME...]
#
# Each patch of this folder is a bug that somebody could make.  It is applied
# to a copy of the sources that it touches, only those are compiled, and the
# simulator runs seeds until one fails (N at most, 20000).  A seed counts only
# if it passes without the patch.  A patch that does not apply is an error.
# NAME is what comes after the number; --few are six, for make check.  --jobs
# patches are tried at a time, each by one process (1, by as many as there are
# processors).
#
# Comes from make: BUILD, PLANTED_CC (the compiler with all its flags),
# PLANTED_LD (the linker with its flags), PLANTED_LIBS.
set -u

here=$(dirname "$0")
seeds=20000 jobs=1 one=
few="ack-before-sync tails-before-spool overlap-dropped clock-sign-swapped
parked-receive-forgotten checksum-ignored"
names=
while [ $# -gt 0 ]; do
	case $1 in
	--seeds) seeds=$2; shift ;;
	--jobs) jobs=$2; shift ;;
	--patch) one=$2; shift ;; # one of many, for --jobs
	--all) names= ;;
	--few) names=$few ;;
	-*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 64 ;;
	*) names="$names $1" ;;
	esac
	shift
done
: "${BUILD:=build}" "${PLANTED_CC:?run it by make planted}"
work=$BUILD/planted
mkdir -p "$work"

# The simulator with one bug in it.
plant() {
	patch=$1 dir=$work/$2
	rm -rf "$dir"
	mkdir -p "$dir"
	objects=
	files=$(sed -n 's,^+++ b/,,p' "$patch")
	for f in $files; do
		mkdir -p "$dir/$(dirname "$f")"
		cp "$f" "$dir/$f"
	done
	patch -s -f -F 0 -p1 -d "$dir" <"$patch" >"$dir/log" 2>&1 || return 2
	for f in $files; do
		cp "$dir/$f" "$dir/$f.bad"
		case $f in
		*.c)	set -- "$f" ;;
		*)	cp "${f%/*}"/*.h "$dir/${f%/*}" # they include each other
			cp "$dir/$f.bad" "$dir/$f"
			set -- $(grep -rl --include='*.d' --exclude-dir=shell "\b$f\b" \
			    "$BUILD/collector" "$BUILD/monitord" "$BUILD/common" "$BUILD/proto" |
			    sed "s,^$BUILD/\(.*\)d\$,\1c," |
			    while read -r c; do [ ! -f "$c" ] || echo "$c"; done) ;;
		esac
		for c in "$@"; do
			mkdir -p "$dir/$(dirname "$c")"
			[ -f "$dir/$c" ] || cp "$c" "$dir/$c"
			o=$dir/${c%.c}.o
			$PLANTED_CC -iquote "$dir/$(dirname "$c")" -iquote "$dir" \
			    -iquote "$dir/$(dirname "$f")" \
			    -iquote "$(dirname "$c")" -c -o "$o" "$dir/$c" \
			    >>"$dir/log" 2>&1 || return 3
			objects="$objects $o"
		done
	done
	# shellcheck disable=SC2086
	$PLANTED_LD -o "$dir/sim" $objects $PLANTED_LIBS >>"$dir/log" 2>&1 ||
	    return 3
}

# Seeds until one fails that passes without the bug.
hunt() {
	sim=$1 first=1
	while [ $first -le "$seeds" ]; do
		out=$("$sim" --first $first --seeds $((seeds - first + 1)) \
		    --until-failure --no-shrink ${one:+--jobs 1})
		ran=$(echo "$out" | sed -n 's/^seeds=\([0-9]*\) .*/\1/p')
		found=$(echo "$out" | sed -n 's/^seed \([0-9]*\): .*/\1/p' |
		    sort -n | head -n 1)
		[ -n "$found" ] || return 1
		if "$BUILD/tests/sim/sim" --first "$found" --seeds 1 \
		    --no-shrink >/dev/null; then
			after=$((first + ran - 1))
			why=$(echo "$out" | sed -n "s/^seed $found: //p")
			return 0
		fi
		first=$((found + 1))
	done
	return 1
}

# One line that says how it went; false: it was not found.
try() {
	name=$(basename "$1" .patch)
	name=${name#*-}
	plant "$1" "$name"
	rv=$?
	began=$(date +%s%N)
	case $rv in
	0)	if hunt "$work/$name/sim"; then
			ms=$((($(date +%s%N) - began) / 1000000 + 1))
			echo "$name: found at seed $found, after $after seeds," \
			    "$((after * 1000 / ms)) seeds/s: $why"
		else
			echo "$name: NOT FOUND in $seeds seeds"
			rv=1
		fi ;;
	2)	echo "$name: DOES NOT APPLY: $(head -n 1 "$work/$name/log")" ;;
	*)	echo "$name: DOES NOT BUILD: $(grep error "$work/$name/log" |
		    head -n 1)" ;;
	esac
	[ -n "${KEEP:-}" ] || rm -rf "${work:?}/$name"
	return $rv
}

if [ -n "$one" ]; then
	try "$one" || touch "$work/missed.$(basename "$one")"
	exit 0
fi

set --
for patch in "$here"/*.patch; do
	name=$(basename "$patch" .patch)
	case " $(echo $names) " in
	"  "|*" ${name#*-} "*) set -- "$@" "$patch" ;;
	esac
done
rm -f "$work"/missed.*
# the sources go on: those that are not tried now must apply, too
for patch in "$here"/*.patch; do
	patch -s -f -F 0 -p1 --dry-run -d . <"$patch" >/dev/null 2>&1 ||
	    { echo "$(basename "$patch") DOES NOT APPLY"; touch "$work/missed.$(basename "$patch")"; }
done
if [ "$jobs" -gt 1 ]; then
	printf '%s\n' "$@" |
	    xargs -P "$jobs" -n 1 "$0" --seeds "$seeds" --patch
else
	for patch; do
		try "$patch" || touch "$work/missed.$(basename "$patch")"
	done
fi
missed=$(find "$work" -name 'missed.*' | wc -l)
rm -f "$work"/missed.*
echo "$# planted, $missed not found"
[ $# -gt 0 ] && [ "$missed" -eq 0 ]
