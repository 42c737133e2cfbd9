#!/bin/sh
# Plants bugs and has the simulator find them.
#
#	tests/planted/run.sh [--seeds N] [--all | --few | NAME...]
#
# Each patch of this folder is a bug that somebody could make.  It is applied
# to a copy of the sources that it touches, only those are compiled, and the
# simulator runs seeds until one fails (N at most, 20000).  A seed counts only
# if it passes without the patch.  A patch that does not apply is an error.
# NAME is what comes after the number; --few are six, for make check.
#
# Comes from make: BUILD, PLANTED_CC (the compiler with all its flags),
# PLANTED_LD (the linker with its flags), PLANTED_LIBS.
set -u

here=$(dirname "$0")
seeds=20000
few="ack-before-sync tails-before-spool overlap-dropped clock-sign-swapped
parked-receive-forgotten checksum-ignored"
names=
while [ $# -gt 0 ]; do
	case $1 in
	--seeds) seeds=$2; shift ;;
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
	patch -s -f -p1 -d "$dir" <"$patch" >"$dir/log" 2>&1 || return 2
	for f in $files; do
		case $f in
		*.c)	set -- "$f" ;;
		*)	set -- $(grep -l "\"$(basename "$f")\"" \
			    "$(dirname "$f")"/*.c) ;;
		esac
		for c in "$@"; do
			[ -f "$dir/$c" ] || cp "$c" "$dir/$c"
			o=$dir/${c%.c}.o
			$PLANTED_CC -iquote "$dir/$(dirname "$c")" \
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
		    --until-failure --no-shrink)
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

missed=0 n=0
for patch in "$here"/*.patch; do
	name=$(basename "$patch" .patch)
	name=${name#*-}
	case " $(echo $names) " in
	"  "|*" $name "*) ;;
	*)	continue ;;
	esac
	n=$((n + 1))
	plant "$patch" "$name"
	case $? in
	0)	if hunt "$work/$name/sim"; then
			echo "$name found after $after seeds ($why)"
		else
			echo "$name NOT FOUND in $seeds seeds"
			missed=$((missed + 1))
		fi ;;
	2)	echo "$name DOES NOT APPLY: $(head -n 1 "$work/$name/log")"
		missed=$((missed + 1)) ;;
	*)	echo "$name DOES NOT BUILD: $(grep error "$work/$name/log" |
		    head -n 1)"
		missed=$((missed + 1)) ;;
	esac
	rm -f "$work/$name/sim"
done
echo "$n planted, $missed not found"
[ $n -gt 0 ] && [ $missed -eq 0 ]
