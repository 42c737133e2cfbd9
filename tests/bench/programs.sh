#!/bin/sh
# Programs of Debian that are large or have threads, of MPI, OpenMP and other
# languages (programs.list), as they are, under monitorctl run, and under it with all
# that can be recorded: each piece of memory, the scheduler, and samples at 999 Hz.
# First that they print, end and leave descriptors as without, and after how long the
# viewer shows them; then their processor time with all that they start, but for
# monitorctl's own, in turn, the least of each.  Prints lines of bench.tsv: each program, and the median.
#
#	programs.sh [TIMES [NAME...]]
#
# HPCC_MPICH: a hpcc that was built with MPICH.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
times=${1:-5}
[ $# -eq 0 ] || shift
export G=$dir/given PORT=$(some_port) HPCC_MPICH=${HPCC_MPICH:-/nowhere/hpcc} OMP_WAIT_POLICY=passive
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
mkdir "$dir/said"
chmod 755 "$dir" # memcached and su become others
sh tests/bench/peers/given.sh "$G" || fail "what programs work on"
${CC:-cc} -O2 -D_GNU_SOURCE -fPIC -shared -o "$dir/descriptors.so" tests/bench/peers/descriptors.c
chmod 755 "$dir/descriptors.so"

# node DIRECTORY OPTIONS: a monitord with a node
node() {
	mkdir -m 700 -p "$1"
	printf 'name: programs\nnodes: [ { name: n1, launch: local%s } ]\n' "$2" >"$1.yaml"
	ORRERY_DIR=$1
	"$monitord" --index no --log "$1.orr" "$1.yaml" 2>>"$dir/monitord.err" &
	monitord_pid=$!
	wait_for 20 "monitord" "$monitorctl" status
	wait_for 10 "a node" nodes_ready 1
}
node "$dir/all" ", sched: yes, sample: 999"
node "$dir/usual" ""

# what stands before the program, and comes to a new folder with it
new="rm -rf '$dir/place'; mkdir '$dir/place'; cd '$dir/place'"
bare="exec"
usual="exec '$monitorctl' run"
all="ORRERY_DIR='$dir/all'; exec '$monitorctl' run --memory all --locks all"

# once AS WORDS: what the program says; its output and code are in said/AS, its descriptors in said/AS.open
once() {
	rm -f "$dir/open"
	DESCRIPTORS=$dir/open LD_PRELOAD=$dir/descriptors.so timeout -k 5 100 sh -c "$new; $2 sh '$dir/program'" \
	    >"$dir/said/$1" 2>"$dir/said/$1.err" </dev/null
	echo "code $?" >>"$dir/said/$1"
	grep -v '^monitorctl:' "$dir/open" | sort -u >"$dir/said/$1.open"
}
# spent WORDS: processor time of the program and all that it starts, in ms
spent() {
	sh -c "$new; $1 bash -c 'sh \"\$0\" >/dev/null 2>&1; times' '$dir/program'" 2>/dev/null </dev/null |
	    awk -F '[ms ]' 'END { print 60000 * ($1 + $4) + 1000 * ($2 + $5) }'
}
# shown NAME: the viewer has a process of this name in the log that grows
shown() {
	timeout 10 "$BUILD/viewer/viewer" --no-cache --config '' --describe "$dir/one.orr" 2>/dev/null |
	    grep -q "^  n1  $1[^ ]*  *PO [0-9]"
}
# wrong WHAT: told at the end, too
wrong() {
	echo "wrong: $name: $*" >&2
	faults="$faults $name: $*;"
}
ms() { echo $(($(date +%s%N) / 1000000)); }
# pictured AS: a run of its own for this program, in which the viewer looks for it
pictured() {
	rm -rf "$dir/one" "$dir/one.orr"
	node "$dir/one" ""
	began=$(ms) after=
	once usual "ORRERY_DIR='$dir/one'; $usual" &
	program=$!
	while [ "$1" != - ] && [ $(($(ms) - began)) -lt 20000 ]; do
		! shown "$1" || { after=$(($(ms) - began)); break; }
	done
	wait $program
	"$monitorctl" shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt" >&2; wrong "the run is not good"; }
	wait "$monitord_pid"
	ORRERY_DIR=$dir/usual
	[ "$1" != - ] || return 0
	[ -n "$after" ] || { wrong "not shown"; return; }
	printf 'program: %s, from the command to its picture\t%d\tms\tgoal\t10000\t%.2f\n' \
	    "$name" "$after" "$(echo "$after" | awk '{ print $1 / 10000 }')"
}
faults=
while IFS= read -r line; do
	case $line in ''|'#'*) continue ;; esac
	name=${line%% | *} line=${line#* | }
	as=${line%% | *} line=${line#* | }
	[ $# = 0 ] || case " $* " in *" ${name%%[ ,]*} "*) ;; *) continue ;; esac
	for c in $(eval "echo ${line%% | *}"); do
		command -v "$c" >/dev/null || [ -e "$c" ] || { echo "$name: $c is not here" >&2; continue 2; }
	done
	echo "${line#* | }" >"$dir/program"
	once bare "$bare"
	pictured "$as"
	once all "$all"
	for as in usual all; do
		cmp -s "$dir/said/bare" "$dir/said/$as" && continue
		diff "$dir/said/bare" "$dir/said/$as" >&2
		cat "$dir/said/$as.err" >&2
		wrong "another thing is said ($as)"
	done
	for as in usual all; do
		cmp -s "$dir/said/bare.open" "$dir/said/$as.open" && continue
		once again "$bare"
		! cmp -s "$dir/said/bare.open" "$dir/said/again.open" || {
			diff "$dir/said/bare.open" "$dir/said/$as.open" >&2
			wrong "other descriptors ($as)"
		}
		echo "$name: other descriptors each time" >&2
		break
	done
	for i in $(seq "$times"); do
		echo "$(spent "$bare") $(spent "$usual") $(spent "$all")"
	done | awk -v what="$name" '
		{ for (i = 1; i <= 3; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
		END {
			printf "program: %s\t%d\tms\twithout\t%d\t%.3f\n", what, least[2], least[1], least[2] / least[1]
			printf "program: %s, all classes\t%d\tms\twithout\t%d\t%.3f\n", what, least[3], least[1], least[3] / least[1]
		}' | tee -a "$dir/lines"
done <tests/bench/programs.list
awk -F '\t' '
	{ k = $1 ~ /all classes$/; v[k, ++n[k]] = $6 }
	END { for (k = 0; k < 2; k++) {
		for (i = 2; i <= n[k]; i++)
			for (j = i; j > 1 && v[k, j] < v[k, j - 1]; j--) { t = v[k, j]; v[k, j] = v[k, j - 1]; v[k, j - 1] = t }
		m = (v[k, int((n[k] + 1) / 2)] + v[k, int(n[k] / 2) + 1]) / 2
		printf "program: processor time, median of %d%s\t%.3f\ttimes\tgoal\t%s\t%.3f\n", n[k], k ? ", all classes" : "",
		    m, k ? "" : "1.020", k ? m : m / 1.02 } }' "$dir/lines"
[ -z "$faults" ] || fail "$faults"
