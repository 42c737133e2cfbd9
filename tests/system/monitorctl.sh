#!/bin/sh
# monitorctl's manners: help, exit codes, one clear line when something is
# wrong, and a program that runs whether or not somebody listens.
. tests/lib.sh

ends_saying 0 '^usage: monitorctl' "$monitorctl" --help
ends_saying 0 '^monitorctl [0-9]' "$monitorctl" --version
ends_saying 64 'no command given; try' "$monitorctl"
ends_saying 64 'no command nonsense; try' "$monitorctl" nonsense
ends_saying 64 'see monitorctl --help' "$monitorctl" --nonsense
for c in status who run shutdown dump report check before past future; do
	ends_saying 0 "^usage: monitorctl $c" "$monitorctl" $c --help
	ends_saying 64 "^monitorctl: --nonsense is no option here; see monitorctl $c --help" "$monitorctl" $c --nonsense
done
for c in run dump report check before past future; do
	ends_saying 64 "usage: monitorctl $c" "$monitorctl" $c
done

# --- nobody is there ---
ends_saying 69 'monitord does not run here .*monitord.sock' "$monitorctl" status
ends_saying 69 'monitord does not run here' "$monitorctl" shutdown
ends_saying 69 'no collector on this machine' "$monitorctl" who
ends_saying 69 'no collector of node n7' "$monitorctl" who --node n7
ends_saying 64 'PO or PO.THREAD' "$monitorctl" who 3.x
ends_saying 64 'name too long|too long' "$monitorctl" --socket "$(printf 'x%.0s' $(seq 200))" status
ends_saying 3 'no collector on this machine: the program runs unobserved' \
    "$monitorctl" run sh -c 'exit 3'
ends_saying 0 'no collector of node n7 ' "$monitorctl" run --node n7 true
ends_saying 0 '^n7 /' "$monitorctl" run --node n7 sh -c 'echo $ORRERY_NODE $ORRERY_DIR'
ends_saying 127 'No such file' "$monitorctl" run ./no-such-program
ends_saying 126 'Permission denied' "$monitorctl" run ./README.md

# --- what libprobe says when asked: why it does not attach ---
why() { # PATTERN SETTING...: of a program with these in its environment
	pattern=$1
	shift
	ends_saying 0 "^probe: $pattern" env ORRERY_DEBUG=1 "$@" "$load" --threads 1 --rate 1000 --seconds 0.01
}
why "there is no collector in $ORRERY_DIR" A=1
why 'nothing is recorded: ORRERY=off' ORRERY=off
why 'cannot be used as the runtime directory: /proc/none' ORRERY_DIR=/proc/none
ends_with 0 "$load" --threads 1 --rate 1000 --seconds 0.01
grep -q '^probe:' "$dir/out" && fail "libprobe prints without being asked"

# --- files that are no logs ---
ends_saying 66 'No such file' "$monitorctl" check "$dir/none.orr"
ends_saying 65 'not a log' "$monitorctl" check README.md
: >"$dir/empty.orr"
ends_saying 65 'empty.orr' "$monitorctl" report "$dir/empty.orr"
ends_saying 65 '.' "$monitorctl" dump "$dir/empty.orr"

ends_saying 66 'No such file' "$monitorctl" before "$dir/none.orr" n1/1.1:1 n1/1.1:2

# --- events that are none ---
log=tests/golden/log-version-1
ends_saying 64 'usage: monitorctl before' "$monitorctl" before $log n1/1.1:1
ends_saying 64 'frob is no event; say NODE/PO.THREAD:SEQ' "$monitorctl" past $log frob
ends_saying 64 'n1/1.1:x is no event' "$monitorctl" past $log n1/1.1:x
ends_saying 64 'n1/1.1@soon is no event' "$monitorctl" future $log n1/1.1@soon
ends_saying 69 'n77/1.1:3: no thread of that name' "$monitorctl" past $log n77/1.1:3
ends_saying 69 'monitord:99: the log has no such event' "$monitorctl" future $log monitord:99

# --- somebody who is not monitord, and one who says nothing ---
if command -v python3 >/dev/null; then
	cat >"$dir/fake.py" <<'PY'
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1] + ".new")
s.listen(4)
os.rename(sys.argv[1] + ".new", sys.argv[1])  # not to be seen before
while True:
    c, _ = s.accept()
    c.recv(4096)
    c.sendall(b"HTTP/1.0 400 what?\r\n\r\n" * 4)
    c.close()
PY
	python3 "$dir/fake.py" "$dir/fake.sock" &
	fake=$!
	wait_for 10 "the fake" test -S "$dir/fake.sock"
	ends_saying 76 'makes no sense' "$monitorctl" --socket "$dir/fake.sock" status
	kill $fake
fi

# --- a run ---
for p in "$monitord" "$BUILD/collector/collector"; do
	[ -x "$p" ] || skip "no $p"
done
start_monitord
wait_for 20 "the collector" "$monitorctl" who
ends_saying 0 '^run: [0-9a-f-]{36}$' "$monitorctl" status
ends_saying 0 '^nodes:' "$monitorctl" status --yaml
# json COMMAND...: what it prints is JSON, with these words in it
json() {
	"$monitorctl" "$@" >"$dir/json" || fail "$*"
	! command -v python3 >/dev/null || python3 -m json.tool "$dir/json" >/dev/null ||
	    { cat "$dir/json"; fail "$* is no JSON"; }
}
json status --json
says "$dir/json" '^ +"state": "running",$'
"$monitorctl" status --watch=0.05 >"$dir/watch" 2>&1 &
watch=$!
enough() { [ "$(grep -c '^run: ' "$dir/watch")" -ge 5 ]; }
wait_for 10 "five pages of status" enough
grep -q "$(printf '\033')" "$dir/watch" && fail "colours where there is no terminal"
escaping="$dir/$(printf 'es\033[31mcape')" # a name that a terminal would obey
cp "$load" "$escaping"
LD_LIBRARY_PATH=$BUILD "$escaping" --wait --seconds 1 --rate 20000 >/dev/null &
escaping=$!
wait_for 10 "a program" sh -c "'$monitorctl' who | grep -q cape"
"$monitorctl" who >"$dir/who"
says "$dir/who" 'es.x1b\[31mcape'
[ "$(LC_ALL=C tr -d '\012\040-\176' <"$dir/who" | wc -c)" -eq 0 ] || fail "who lets control characters through"
json who --json
says "$dir/json" '"alive": true, .*es.*x1b\[31mcape'
"$monitorctl" who --yaml >"$dir/who"
says "$dir/who" '^- \{ who: "local/[0-9]+", node: "local", '
wait $escaping
# --- run says what was seen, or why nothing was ---
ends_saying 0 '^monitorctl: .*pascal: [0-9]+ events of [0-9]+ threads, 0 lost \(node local\)$' \
    "$monitorctl" run "$BUILD/examples/pascal" 20 --pace 0
ends_saying 0 '^monitorctl: true: nothing was recorded: it is not linked with libprobe' \
    "$monitorctl" run --plain true
ends_saying 0 'pascal: nothing was recorded: ORRERY=off is set' \
    env ORRERY=off "$monitorctl" run "$BUILD/examples/pascal" 5
others='; other processes that began meanwhile: 1, with [0-9]+ events \(node local\)$'
ends_saying 5 "^monitorctl: sh(: [0-9]+ events of 1 thread, 0 lost| itself was not recorded)$others" \
    "$monitorctl" run sh -c "'$BUILD/examples/pascal' 5 >/dev/null; exit 5"
ends_saying 5 "^monitorctl: sh itself was not recorded$others" \
    "$monitorctl" run --plain sh -c "'$BUILD/examples/pascal' 5 >/dev/null; exit 5"
ends_with 139 sh -c "'$monitorctl' run sh -c 'kill -SEGV \$\$'; exit \$?"
if prlimit --as=15000000 "$load" --threads 1 --rate 1000 --seconds 0.01 >/dev/null 2>&1; then
	ends_saying 0 "^probe: no room here for the memory from $ORRERY_DIR/local/collector.sock" \
	    prlimit --as=15000000 env ORRERY_DEBUG=1 "$load" --threads 1 --rate 1000 --seconds 0.01
	ends_saying 0 'load: nothing was recorded: .* \(process [0-9]+\)$' \
	    prlimit --as=15000000 "$monitorctl" run "$load" --threads 1 --rate 1000 --seconds 0.1
fi
"$monitorctl" run "$load" --wait --threads 1 --rate 1000 --seconds 60 >/dev/null 2>"$dir/term" &
run=$!
wait_for 10 "the program" sh -c "'$monitorctl' who | grep -q 'alive.* load'"
kill -TERM $run
wait $run 2>/dev/null
[ $? -eq 143 ] || fail "a signal does not reach the program"
says "$dir/term" '^monitorctl: .*load: [0-9]+ events of'
# --- the accounts of status and receipt are the same one ---
"$monitorctl" status | tr -d ';' | awk '/^events: / { n = 1; exit $3 != $6 + $9 + $13 } END { if (!n) exit 1 }' ||
    fail "published is not stored + lost + under way"
finish
in_log=$(($("$monitorctl" dump --raw "$dir/run.orr" | wc -l) - 1))
awk -v n="$in_log" '{ of[$1] = $2 } END { exit of["published"] != of["stored"] + of["lost"] || of["stored"] + of["monitor"] != n }' "$dir/receipt" ||
    { cat "$dir/receipt"; fail "the log has $in_log events, the receipt another number"; }
wait $watch
[ $? -eq 0 ] && grep -q "the run has ended" "$dir/watch" ||
    { tail -n 5 "$dir/watch"; fail "status --watch does not end with the run"; }
ends_saying 0 'NOT FINISHED|finished' "$monitorctl" report "$dir/run.orr"
json report --json "$dir/run.orr"
says "$dir/json" '"name": "bigp", "tasks": '
json check --json "$dir/run.orr"
says "$dir/json" '^  "violations": 0,$'
# how each process has ended (of one that its parent has waited for, a kernel
# before 6.15 does not tell)
"$monitorctl" dump --kind po_end "$dir/run.orr" >"$dir/ends"
says "$dir/ends" 'po_end process=[0-9]+ clean=1 ending="exited 0"'
case $(uname -r) in
[0-5].*|6.[0-9].*|6.1[0-4].*) ;;
*) says "$dir/ends" 'po_end process=[0-9]+ clean=0 ending="signal 15"' ;;
esac
head -c 3000 "$dir/run.orr" >"$dir/cut.orr"
ends_saying 65 'receipt: none' "$monitorctl" check "$dir/cut.orr"
ends_saying 65 '^  "finished": false,$' "$monitorctl" check --json "$dir/cut.orr"
echo "manners are good"
