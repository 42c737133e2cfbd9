#!/bin/sh
# Kinds of events that a program declares: all that it tells is in the log, and
# shown by its names, labels and units; what cannot be is refused in a note, and
# the program goes on; the example gives the sums that it promises.
. tests/lib.sh
command -v python3 >/dev/null || skip "no python3"

ends_with 0 "$BUILD/tests/apps/kinds" 3 # nobody listens
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
export ORRERY_NODE=n1 ORRERY_FULL=wait
"$BUILD/tests/apps/kinds" 50 >"$dir/told" || fail "kinds ends with $?"
ends_with 0 "$BUILD/examples/orders"
# chosen by its name: without orders, and with nothing but orders, which are whole
"$monitorctl" probe -note:order >/dev/null || fail "probe"
ends_with 0 "$BUILD/examples/orders"
"$monitorctl" probe -note '+note:ord*' >/dev/null || fail "probe"
ends_with 0 "$BUILD/examples/orders" 40
finish
says "$dir/receipt" "^lost *0$"
python3 -B "$tests/tools/kinds.py" "$monitorctl" "$dir/run.orr" "$dir/told" ||
    fail "what is shown is not what was told"

"$monitorctl" report "$dir/run.orr" >"$dir/report" || fail "report"
says "$dir/report" '^  order  +100$'
says "$dir/report" '^  +pieces  +100 +300 +3 +1 +5$'
says "$dir/report" '^  +price +EUR +100 +750 +7.5 +2.5 +12.5$'
says "$dir/report" '^  delivery +12$'
says "$dir/report" '^  +stock +pieces +12 +60 +5 +-20 +30$'
ends_saying 0 '^Charles +33 +2' "$monitorctl" query "$dir/run.orr" \
    'SELECT client, count(*), sum(price) FROM own_order GROUP BY client'
# the viewer has them whole, and finds them
if [ -x "$BUILD/viewer/viewer" ]; then
	printf '%s\n' "limit 60s" "wait read" "tab details" "range 0:1ms" "search wide" \
	    describe "search delivery" describe "tab counters" "range 0:1s" describe quit >"$dir/script"
	ends_with 0 "$BUILD/viewer/viewer" --no-cache --config '' --headless \
	    --script "$dir/script" "$dir/run.orr"
	says "$dir/out" '^wide: n 0, who one, height -1000 m/s², debt 5 EUR, took 0 ns, key 0x0, place -, good yes$'
	says "$dir/out" '^  counter of n1/[0-9.]*: order.price: [1-9][0-9]* values'
	says "$dir/out" '^delivery: stock -20 pieces$'
	says "$dir/out" '^  diamond #[0-9a-f]*: an event of a kind'
fi
ends_saying 64 "no kind of event is called ordre" "$monitorctl" dump --kind ordre "$dir/run.orr"
