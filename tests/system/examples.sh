#!/bin/sh
# The four examples: alone, with nobody listening, they give the right answer;
# watched, on four nodes whose clocks are apart and drift, the log has exactly
# the tasks, messages and moves that they are known to make.
. tests/lib.sh

examples=$BUILD/examples

# --- nobody listens ---
row='^row 35: 1 35 595 6545 52360 .* 4537567650 4537567650 .* 52360 6545 595 35 1$'
ends_with 0 "$examples/pascal" 35 --pes 5 --pace 0.1
says "$dir/out" "$row"
says "$dir/out" '^tasks 2235, suspended [1-9]'
says "$dir/out" '^tasks by PE:( [1-9][0-9]*){5}$'
ends_with 0 "$examples/pascal" 35 --pes 1 --pace 0
says "$dir/out" "$row"
says "$dir/out" '^tasks 2235, suspended 0,'
for n in 10:206 34:2114 36:2364; do
	ends_with 0 "$examples/pascal" "${n%:*}" --pace 0
	says "$dir/out" "^tasks ${n#*:},"
done
for p in 1 5; do
	ends_with 0 "$examples/semigroup" --pace 0 --spin 10 --pes $p
	says "$dir/out" '^vectors 54, products 162$'
	says "$dir/out" '^tasks 15419, suspended [1-9]'
done
ends_with 0 "$examples/mergesort" --pace 0
says "$dir/out" '^messages 28, between nodes 12$'
ends_with 0 "$examples/mergesort" --pace 0 --placement packed --count 100000 --seed 7
says "$dir/out" '^sorted 100000 numbers by 15 processes, placement packed$'
says "$dir/out" '^messages 28, between nodes 6$'
ends_with 0 "$examples/drones" --pace 0
says "$dir/out" '^objects 17, disposed 17, nodes 4$'
says "$dir/out" '^departures 109, arrivals 109$'
ends_with 0 "$examples/drones" --pace 0 --objects 40 --hops 200 --nodes a,b,c
for p in pascal semigroup mergesort drones; do
	ends_with 0 "$examples/$p" --help
	ends_with 64 "$examples/$p" --nonsense
	ends_with 64 "$examples/$p" --pace fast
done
echo "alone: right answers"

# --- watched ---
for p in "$monitord" "$BUILD/collector/collector" "$monitorctl"; do
	[ -x "$p" ] || skip "no $p: not watched"
done
cluster 4 >"$dir/cluster.yaml"
start_monitord "$dir/cluster.yaml"
wait_for 20 "four nodes on the clock" nodes_ready 4
ends_with 0 "$monitorctl" run --node n1 "$examples/pascal" 35 --pes 5 --pace 1
says "$dir/out" "$row"
ends_with 0 "$monitorctl" who 1
says "$dir/out" '^n1/1 .* pascal$'
ends_with 69 "$monitorctl" who --node n1 77
ends_with 0 "$monitorctl" run "$examples/mergesort" --pace 30
ends_with 0 "$monitorctl" run "$examples/mergesort" --pace 30 --placement packed
ends_with 0 "$monitorctl" run "$examples/drones" --pace 20
ends_with 127 "$monitorctl" run /nowhere/no-such-program
finish

says "$dir/receipt" '^good: published = stored \+ lost$'
says "$dir/receipt" '^lost +0$'
says "$dir/check" '^violations 0, lost 0, late [0-9]+, orphans 0$'
"$monitorctl" report "$dir/run.orr" >"$dir/report" || fail "report"
says "$dir/report" '^tasks 2235, deepest level 56, suspended [1-9][0-9]* \([0-9]+ times\), PEs 5$'
for p in bigp:918 setc:612 makeRow:323 bigPlus:306 makeRows:35 rev3:19 \
    append:19 go:1 fillout:1 rev2:1; do
	says "$dir/report" "^  ${p%:*} +${p#*:} "
done
[ "$(grep -Ec '^  n1/1 +[0-4] +[1-9]' "$dir/report")" -eq 5 ] || fail "not all PEs are used"
says "$dir/report" '^messages 56, received 56, bytes 960000, between nodes 18$'
says "$dir/report" '^objects: moves 109, arrivals 109, requests 10, orders 40, obeyed 40$'
"$monitorctl" report --yaml "$dir/run.orr" >"$dir/yaml" || fail "report --yaml"
says "$dir/yaml" '^  deepest_level: 56$'
[ "$("$monitorctl" dump --kind object_arrive "$dir/run.orr" | wc -l)" -eq 109 ] ||
    fail "dump does not have 109 arrivals"
for k in nickname:1 orders:40 wait:41 go:41; do
	[ "$("$monitorctl" dump --kind "object_${k%:*}" "$dir/run.orr" | wc -l)" -eq "${k#*:}" ] ||
	    fail "dump does not have ${k#*:} object_${k%:*}"
done
# who has started them, where that is on the same node: of 14 children as many
# as have sent their parts to their own node
"$monitorctl" dump --kind po_begin "$dir/run.orr" >"$dir/begun" || fail "dump"
[ "$(grep -c ' parent=[^ ]*[1-9a-f] program=mergesort' "$dir/begun")" -eq 19 ] ||
    fail "not 19 of mergesort's processes know who started them: $(cat "$dir/begun")"
ends_with 65 "$monitorctl" check "$dir/cluster.yaml"
ends_with 66 "$monitorctl" report "$dir/none.orr"
ends_with 69 "$monitorctl" status
echo "watched: the known tasks, messages and moves; $(tail -n 1 "$dir/check")"
