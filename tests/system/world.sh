#!/bin/sh
# Real monitord, collectors and programs in a bad world: each node in a network
# namespace of its own, behind a relay that delays, stalls, cuts and repeats,
# and in a time namespace, so that its clock is hours off; meanwhile processes
# are stopped, killed, and kept from the processor.  Afterwards: the receipt is
# good, the log checks, what the programs count is in the log, and every clock
# was within its bound of the truth, which is known here.
#
#	SECONDS=600 SEED=7 sh tests/system/world.sh	8 s by default
#	FAULTS='stop kill hog' ...			only these
#	KEEP=DIR ...	keeps the log, and what everybody has said
set -u
# the shell may count seconds itself
seconds=${SECONDS:-8}
[ "$seconds" -gt 0 ] || seconds=8
cd "$(dirname "$0")/../.."
. tests/lib.sh
relay=$BUILD/tests/tools/relay
faults=${FAULTS:-stop kill hog}
seed=${SEED:-$$}
echo "seed $seed, $seconds s"
nodes=3
hours() { echo $(($1 * 7 % 4 * 3600)); } # how far n$1 is ahead: 3, 2, 1

[ "$(id -u)" = 0 ] || skip "needs root for namespaces"
command -v ip >/dev/null && command -v nsenter >/dev/null || skip "needs ip and nsenter"
unshare --net --time --monotonic 1 --fork true 2>"$dir/why" ||
    skip "no network or time namespaces here: $(cat "$dir/why")"
ip link add "o$$" type veth peer name "p$$" 2>"$dir/why" ||
    skip "no veth here: $(cat "$dir/why")"
ip link del "o$$"
grep -qw nonstop_tsc /proc/cpuinfo || skip "without an even cycle counter, programs cannot cross time namespaces"

# rnd N: r is below N; not in a subshell, which would not move the seed
rnd() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	r=$((seed / 65536 % $1))
}
# pick WORDS...: r is one of them, or empty
pick() {
	r=
	[ $# -gt 0 ] || return
	rnd $#
	shift "$r"
	r=$1
}
# nap LEAST MORE: that many ms, and up to so many more
nap() {
	rnd "$2"
	r=$(($1 + r))
	sleep "$(printf '%d.%03d' $((r / 1000)) $((r % 1000)))"
}

# --- the world ---
net=10.$((100 + $$ % 100)).$(($$ / 100 % 250))
port=$((20000 + $$ % 20000))
{
	echo "name: world"
	echo "listen: tcp:127.0.0.1:$port"
	echo "nodes:"
	for i in $(seq $nodes); do echo "  - { name: n$i, launch: none }"; done
} >"$dir/c.yaml"
start_monitord --insecure-loopback "$dir/c.yaml"

inside() { # NODE COMMAND...
	node=$1
	shift
	ORRERY_NODE=n$node nsenter -t "$(cat "$dir/holder.$node")" -n -T "$@"
}
start_collector() {
	inside "$1" "$BUILD/collector/collector" --name "n$1" \
	    --monitord "tcp:$net.$(($1 * 4 + 1)):7000" 2>>"$dir/collector$1.err" &
}
for i in $(seq $nodes); do
	s=$(hours $i)
	unshare --net --time --monotonic "$s" --boottime "$s" --fork \
	    sh -c "echo \$\$ >'$dir/holder.new' && mv '$dir/holder.new' '$dir/holder.$i'; exec sleep 1000000" &
	wait_for 10 "node $i" test -s "$dir/holder.$i"
	ip link add "o$i-$$" type veth peer name eth0 netns "$(cat "$dir/holder.$i")" || fail "veth"
	ip addr add "$net.$((i * 4 + 1))/30" dev "o$i-$$"
	ip link set "o$i-$$" up
	inside $i ip addr add "$net.$((i * 4 + 2))/30" dev eth0
	inside $i ip link set eth0 up
	inside $i ip link set lo up
	"$relay" --listen "$net.$((i * 4 + 1)):7000" --to "127.0.0.1:$port" --seed $((seed + i)) \
	    --delay $((i * 40)) --jitter 30 --spikes 10 --stall 5 --cut 6 --half 15 --duplicate 20 --leave 250 \
	    >"$dir/relay.$i" 2>&1 &
	wait_for 10 "a relay" grep -q ready "$dir/relay.$i"
	eval "relay$i=$!"
	start_collector $i
done
wait_for 20 "$nodes nodes" nodes_ready $nodes

# --- what runs in it ---
loads=
start_load() { # NODE NAME ARGUMENTS...: load is its process
	to=$1 as=$2
	shift 2
	ORRERY_NODE=n$to nsenter -t "$(cat "$dir/holder.$to")" -n -T \
	    "$load" --wait --threads 2 "$@" >"$dir/load.$as" 2>&1 &
	load_pid=$!
}
for i in $(seq $nodes); do
	start_load $i $i --rate 4000 --seconds "$seconds"
	loads="$loads $load_pid"
	echo $load_pid $i >>"$dir/loads"
done
(
	n=0
	while [ ! -e "$dir/enough" ]; do
		n=$((n + 1))
		"$BUILD/examples/mergesort" --nodes n1,n2,n3 --pace 30 >"$dir/mergesort.out" 2>&1 || touch "$dir/harm"
		"$BUILD/examples/drones" --nodes n1,n2,n3 --pace 5 >"$dir/drones.out" 2>&1 || touch "$dir/harm"
		echo $n >"$dir/examples"
	done
) &
examples=$!

# --- what befalls it ---
victims() { # of this test only: others may run beside it
	ours >"$dir/ours"
	pgrep -f "$1" | grep -xF -f "$dir/ours"
}
collectors() { rnd $nodes; node=$((r + 1)); pick $(victims "collector.*--name n$node( |\$)"); }
stopped=0 killed=0 hogs=0
stop_one() {
	rnd 3
	case $r in
	0)	collectors; p=$r ;;
	1)	p=$monitord_pid ;;
	2)	pick $(victims tests/apps/load); p=$r ;;
	esac
	kill -STOP $p 2>/dev/null || return
	stopped=$((stopped + 1))
	nap 200 $((seconds > 30 ? 4000 : 1000))
	kill -CONT $p 2>/dev/null
}
kill_one() {
	killed=$((killed + 1))
	rnd 4
	case $r in
	0)	kill -KILL "$monitord_pid"
		wait "$monitord_pid" 2>/dev/null
		nap 0 300
		start_monitord --insecure-loopback "$dir/c.yaml" ;;
	1|2)	# keeper or worker, when both are there: who kills both takes
		# with them all that knew a program that ends meanwhile
		rnd $nodes
		set -- $(victims "collector.*--name n$((r + 1))( |\$)")
		[ $# -eq 2 ] || return
		pick "$@"
		kill -KILL "$r" 2>/dev/null ;;
	3)	rnd $nodes
		start_load $((r + 1)) killed --rate 5000 --seconds 60
		nap 50 500
		kill -KILL $load_pid ;;
	esac
}
hog_one() {
	hogs=$((hogs + 1))
	for k in 1 2 3; do
		timeout 0.7 sh -c 'while :; do :; done' &
	done
	nap 700 1
}
end=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt $end ]; do
	pick $faults
	${r}_one
	nap 100 500
done
kill -0 "$monitord_pid" 2>/dev/null || fail "monitord has died"

# --- all is well again but the lines; did anything go wrong? ---
touch "$dir/enough"
for p in $loads; do wait $p || fail "a program was harmed"; done
wait $examples
[ ! -e "$dir/harm" ] || { cat "$dir"/*.out; fail "an example was harmed"; }
connected() { [ "$("$monitorctl" status | grep -c 'state: *running')" -ge $nodes ]; }
wait_for 20 "$nodes nodes in the end" connected
keep() { [ -z "${KEEP:-}" ] || cp "$dir"/* "$KEEP" 2>/dev/null; }
keep
finish
keep
for i in $(seq $nodes); do
	eval "p=\$relay$i"
	kill $p; wait $p
	tail -n 1 "$dir/relay.$i"
done
cat "$dir/receipt"
tail -n 2 "$dir/check"

# what each load says it has published is in the log or counted as lost, to
# the event (it counts begin and creation of its two threads, not their ends)
"$monitorctl" dump "$dir/run.orr" | awk '
	$3 == "po_begin" { sub(/[.]0$/, "", $2); sub(/process=/, "", $4); of[$2] = $4; next }
	$3 ~ /^(po_end|thread_)/ { next }
	{ sub(/[.][0-9]*$/, "", $2) }
	$3 == "lost" { sub(/records=/, "", $4); n[$2] += $4; next }
	{ n[$2]++ }
	END { for (po in of) print of[po], n[po] + 4 }' >"$dir/counted"
while read -r pid i; do
	want=$(awk '/^published/ { print $2 }' "$dir/load.$i")
	got=$(awk -v pid="$pid" '$1 == pid { print $2 }' "$dir/counted")
	[ -n "$want" ] && [ "$want" = "$got" ] || fail "the load on n$i published $want, of it the log has $got"
done <"$dir/loads"
"$BUILD/tests/tools/clockerror" "$dir/run.orr" $(for i in $(seq $nodes); do echo n$i=$(hours $i); done) ||
    fail "a clock was beyond its bound"
echo "$stopped stopped, $killed killed, $hogs times no processor, $(cat "$dir/examples") rounds of the examples"
