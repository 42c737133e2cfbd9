#!/bin/sh
# monitorctl run --map: where each instance of a program runs is said by a
# table; what it prints, how it ends and what ends it comes through.
. tests/lib.sh
cd "$dir" || exit 1
cluster 2 >c.yaml
start_monitord c.yaml
wait_for 20 "two nodes" nodes_ready 2
export PATH="$BUILD/tools:$PATH"
cat >map <<'END'
# where they are to run
n1 2
n2 ranks 0 3 # these
n2 1 through sh -c
END
# each says where it is, by both ways
"$monitorctl" run --map map --plain sh -c 'echo "rank $ORRERY_RANK of $ORRERY_RANKS on $ORRERY_NODE, $1"; echo bad >&2' x "a  b'c" \
    >out 2>err || { cat err; fail "it ends with $?"; }
sort out >sorted
cat >want <<'END'
[n1 1] rank 1 of 5 on n1, a  b'c
[n1 2] rank 2 of 5 on n1, a  b'c
[n2 0] rank 0 of 5 on n2, a  b'c
[n2 3] rank 3 of 5 on n2, a  b'c
[n2 4] rank 4 of 5 on n2, a  b'c
END
cmp sorted want || fail "$(cat sorted)"
[ "$(grep -c '^\[n[12] [0-4]\] bad$' err)" = 5 ] || fail "stderr: $(cat err)"
says err '5 of 5 instances have ended well'

# events are on the nodes of the table, as many as each has published
"$monitorctl" run --map map "$load" --threads 1 --events 1000 >out 2>err || { cat err; fail "load: $?"; }
[ "$(grep -c '^\[n[12] [0-4]\] published ' out)" = 5 ] || fail "load: $(cat out)"
cp out published
# exit codes: the first by rank
"$monitorctl" run --map map --plain sh -c 'case $ORRERY_RANK in 1) exit 5 ;; 3) kill -KILL $$ ;; esac' >out 2>err
[ $? = 5 ] || fail "the code of rank 1"
says err 'rank 1 on n1 has exited with 5'
says err 'rank 3 on n2 (was killed by signal 9|has exited with 137)'
says err '3 of 5 instances have ended well'
ends_saying 127 'rank 0 on n2 has exited with 127' "$monitorctl" run --map map /nowhere/no-such-program

# long lines in pieces, a last one without its end
"$monitorctl" run --map map --plain sh -c '[ $ORRERY_RANK != 2 ] || { head -c 10000 /dev/zero | tr "\0" x; printf "\nlast"; }' >out 2>err ||
    fail "long lines: $?"
[ "$(sed -n 's/^\[n1 2\] //p' out | grep -v last | tr -d '\n' | wc -c)" = 10000 ] || fail "what was printed: $(wc out)"
grep -qx '\[n1 2\] last' out || fail "the last line"
# also if someone else still holds the pipe
"$monitorctl" run --map map --plain sh -c 'sleep 1000 & echo $! >held.$ORRERY_RANK; printf last' >out 2>err ||
    fail "the pipe is held: $?"
kill $(cat held.*)
[ "$(grep -c '^\[n[12] [0-4]\] last$' out)" = 5 ] || fail "the last line: $(cat out)"

# a signal ends all, also those over there; so does our death
there() { [ "$(ls up.* 2>/dev/null | wc -l)" = 5 ]; }
gone_all() { for f in up.*; do ! kill -0 "$(cat "$f")" 2>/dev/null || return 1; done; }
for sig in TERM KILL; do
	for does in "sleep 1000" yes; do # also one that prints without end
		rm -f up.*
		# not SIGINT: jobs in the background of this shell ignore it
		"$monitorctl" run --map map --plain sh -c 'echo $$ >up.tmp$ORRERY_RANK; mv up.tmp$ORRERY_RANK up.$ORRERY_RANK; exec '"$does" >/dev/null 2>err &
		pid=$!
		wait_for 30 "five instances" there
		kill -$sig $pid
		wait $pid
		wait_for 30 "all of them to end by $sig" gone_all
	done
done

# who does not end when it is asked to is told of; looked at below
echo 'n1 1' >one
"$monitorctl" run --map one --plain sh -c 'trap "" TERM; echo >deaf; while :; do sleep 0.1; done' >/dev/null 2>deaf.err &
deaf_pid=$!
wait_for 30 "a deaf one" test -e deaf
kill -TERM $deaf_pid

# tables that are wrong
bad() { # PATTERN, and the table
	printf "$2" >bad
	ends_saying 65 "$1" "$monitorctl" run --map bad true
}
bad 'bad:1: expected NODE COUNT' 'n1\n'
bad 'bad:2: this is no number of instances: -3' '\nn1 -3\n'
bad 'bad:2: this rank has a node already: 0-1' 'n1 ranks 1\nn2 ranks 0-1'
bad 'bad:1: there is no rank 1' 'n1 ranks 0 2'
bad 'bad:1: ranks go from 0 to 255|this is no rank' 'n1 ranks 256'
bad 'bad:2: there are more than 256' 'n1 200\nn2 100'
bad 'bad:1: no program is to be started' '# nothing\n'
bad 'bad:1: through wants a command' 'n1 2 through '
bad 'bad:1: no collector of node n9 on this machine.*through ssh' 'n9 1'
ends_with 66 "$monitorctl" run --map nowhere true
ends_with 64 "$monitorctl" run --map map --node n1 true
ends_saying 64 'too many options' "$monitorctl" run --map map $(printf -- '--plain %.0s' $(seq 13)) true
ends_with 0 "$monitorctl" run --map map $(printf -- '--plain %.0s' $(seq 12)) true

ends_saying 64 'have no input' "$monitorctl" run --map map --with-input true
wait_for 30 "a word about who has not ended" grep -q '1 have not ended yet, as rank 0 on n1' deaf.err
kill -TERM $deaf_pid
wait $deaf_pid
[ $? = 137 ] || fail "the deaf one: $(cat deaf.err)"

# in the log there are as many processes of each node, each with what it has published
finish
"$monitorctl" dump run.orr | awk '{ split($2, at, "."); n[at[1]]++ }
    END { for (p in n) if (n[p] > 1000) { sub("/.*", "", p); print p } }' | sort | uniq -c | tr -s ' ' >nodes
printf ' 2 n1\n 3 n2\n' | cmp - nodes || fail "processes: $(cat nodes)"
all=$("$monitorctl" dump run.orr | wc -l)
want=$(awk '{ n += $4 } END { print n }' published)
[ "$all" -ge "$want" ] || fail "published $want, in the log $all"

# what goes from node to node in two runs, as counted from their events
viewer=$BUILD/viewer/viewer makelog=$BUILD/tests/bench/makelog
if [ -x "$viewer" ] && command -v python3 >/dev/null; then
	"$makelog" a.orr >/dev/null && "$makelog" -n 20000 b.orr >/dev/null || fail "makelog"
	python3 "$tests/tools/between_nodes.py" "$monitorctl" a.orr b.orr >want || fail "between_nodes"
	[ "$(wc -l <want)" -gt 9 ] || fail "next to no messages: $(cat want)"
	"$viewer" --describe --view compare a.orr b.orr | grep '^  messages ' | cmp - want || fail "Compare"
	# what threads waited for is what the view Path has of each
	for run in a b; do
		"$viewer" --describe --view path $run.orr |
		    sed -n 's/^  waits, \(.*\): \([0-9]*\) ns, .* times.*/\1: \2/p' >waits.$run
	done
	[ "$(grep -c ': [1-9]' waits.b)" -gt 2 ] || fail "next to no waits: $(cat waits.b)"
	sed 's/.*: //' waits.b | paste -d ' ' waits.a - >want
	"$viewer" --describe --view compare a.orr b.orr |
	    sed -n 's/^  waits, \(.*\): \([0-9]*\) ns, there \([0-9]*\) ns.*/\1: \2 \3/p' |
	    cmp - want || fail "Compare's waits"
fi
echo "by a table"
