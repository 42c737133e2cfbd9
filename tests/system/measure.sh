#!/bin/sh
# monitorctl measure runs a program with and without, and says no more than it
# can; monitorctl run --shutdown ends the run with the program.
. tests/lib.sh

for p in "$monitorctl" "$monitord" "$load"; do
	[ -x "$p" ] || skip "no $p"
done
ends_saying 69 'no collector.*nothing to measure' "$monitorctl" measure true
ends_saying 64 '--pairs: 0 is no number from 1' "$monitorctl" measure -n 0 true
ends_saying 64 '^usage' "$monitorctl" measure

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
export ORRERY_NODE=n1
# who is run, and how: no ORRERY, or off; the first pair does not count
cat >"$dir/told" <<'EOF'
#!/bin/sh
echo "${ORRERY-with}" >>"$0.log"
echo "this goes nowhere"
EOF
chmod +x "$dir/told"
ends_saying 0 '^slow-down .* cannot tell' "$monitorctl" measure -n 3 --plain "$dir/told"
[ "$(tr '\n' ' ' <"$dir/told.log")" = 'off with off with with off off with ' ] ||
    { cat "$dir/told.log"; fail "the order of the runs"; }
grep -q nowhere "$dir/out" && fail "what it prints is told"
# a program that is slower when watched is told to be so
cat >"$dir/slow" <<'EOF'
#!/bin/sh
[ "${ORRERY-}" = off ] || exec sleep 0.4
sleep 0.03
EOF
chmod +x "$dir/slow"
ends_saying 0 '^slow-down .*: slower' "$monitorctl" measure -n 7 --plain "$dir/slow"
"$monitorctl" measure --pairs 2 --json "$load" --rate 1000 --seconds 0.05 >"$dir/json" || fail "load"
python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))
assert d["pairs"] == 2 and d["with"]["least_ms"] <= d["with"]["mean_ms"]
assert d["wall"]["low"] <= d["wall"]["ratio"] <= d["wall"]["high"]' "$dir/json" || fail "json"
ends_saying 3 'exited 3, run without; expected 0' "$monitorctl" measure sh -c 'exit 3'
ends_with 127 "$monitorctl" measure "$dir/none"

# a run that ends with its program
ends_with 5 "$monitorctl" run --shutdown sh -c 'exit 5'
says "$dir/out" '^good: published'
wait "$monitord_pid" || fail "monitord ended with $?"
monitord_pid=
"$monitorctl" check "$dir/run.orr" >/dev/null || fail "the log does not check"
ends_saying 69 'monitord' "$monitorctl" run --shutdown true
