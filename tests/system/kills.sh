#!/bin/sh
# SIGKILL at random moments, under load: application, collector (keeper,
# worker, or both), monitord, viewer, in an order by chance.  Every published
# event must be in the log once, the receipt exact, the other programs go on, a
# dead collector be back, and monitord go on with the same run and
# the same log.
#
#	KILLS=50 sh tests/system/kills.sh	50 of each; 4 by default
#	KINDS='application monitord' ...	only these
#	KILLS_APPLICATION=10000 KILLS_COLLECTOR=1000 KILLS_MONITORD=1000 \
#	    KILLS_VIEWER=0 ...			as many of each
#	SEED=7 ...				the same order again
#	RATE=100000 ...				events/s of the program on each node
#	KEEP=DIR ...				where all is copied on a failure
#
# It says how long each was away: p50, p99 and the longest.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
kills=${KILLS:-4}
kinds=${KINDS:-application collector monitord viewer}
seed=${SEED:-$$}
echo "seed $seed"

# number KIND VALUE: how many of it
number() {
	case " $kinds " in
	*" $1 "*) echo "${2:-$kills}" ;;
	*) echo 0 ;;
	esac
}
viewers=$(number viewer "${KILLS_VIEWER:-}")

# all that may tell what has happened
diagnose() {
	echo "-- seed $seed"
	[ ! -s "$dir/receipt" ] || { echo "-- receipt:"; cat "$dir/receipt"; }
	[ ! -s "$dir/check" ] || { echo "-- check:"; tail -n 30 "$dir/check"; }
	echo "-- what was unusual:"
	grep -vE 'connection lost|lost; events are kept|starting it again|killed by signal|more like the last' \
	    "$dir/monitord.err" | tail -n 60
	echo "-- processes that are left:"
	for p in $(ours); do ps -o pid=,ppid=,args= -p $p; done
	ls -l "$ORRERY_DIR"/*/spool 2>/dev/null
	[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -a "$dir" "$KEEP" && echo "-- all of it is in $KEEP"; }
	fail "$1"
}

if [ "$viewers" -gt 0 ]; then
	if command -v Xvfb >/dev/null; then
		Xvfb -displayfd 3 -noreset -screen 0 1280x800x24 3>"$dir/display" >/dev/null 2>&1 &
		xvfb=$!
		wait_for 10 Xvfb test -s "$dir/display"
		DISPLAY=:$(cat "$dir/display"); export DISPLAY
	else
		viewers=0
	fi
fi

cluster 2 >"$dir/c.yaml"
"$BUILD/tests/tools/killer" --seed "$seed" --rate "${RATE:-20000}" \
    --application "$(number application "${KILLS_APPLICATION:-}")" \
    --collector "$(number collector "${KILLS_COLLECTOR:-}")" \
    --monitord "$(number monitord "${KILLS_MONITORD:-}")" \
    --viewer "$viewers" \
    --load "$load" --show "$BUILD/viewer/viewer" --receipt "$dir/receipt" \
    -- "$monitord" --index no --log "$dir/run.orr" "$dir/c.yaml" \
    >"$dir/killer.out" 2>>"$dir/monitord.err"
code=$?
cat "$dir/killer.out"
[ -z "${xvfb:-}" ] || kill $xvfb
[ $code -eq 0 ] || diagnose "a kill did harm"
"$monitorctl" check "$dir/run.orr" >"$dir/check" 2>&1 ||
    diagnose "the log does not check"
cat "$dir/receipt"
tail -n 3 "$dir/check"
exit 0
