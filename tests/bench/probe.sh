#!/bin/sh
# What an event costs: ours beside its floor, then LTTng-UST and uftrace in
# the same run, if they are installed.  Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
B=${BUILD:-build}
CC=${CC:-cc}
dir=$(mktemp -d)
sessiond=
trap '[ -z "$sessiond" ] || kill "$sessiond" 2>/dev/null; rm -rf "$dir"' EXIT

"$B/tests/bench/probe" | tee "$dir/ours"
ours=$(awk -F '\t' '$1 == "probe: event, one thread" { print $2 }' "$dir/ours")

# NAME NS: a peer's event beside ours
peer() {
	awk -v what="$1" -v ns="$2" -v ours="${ours:-0}" 'BEGIN {
		printf "probe: %s\t%.2f\tns\tevent, one thread\t%.2f\t%.2f\n",
		    what, ns, ours, (ours + 0 > 0 ? ns / ours : 0)
	}'
}

# bounded: lttng destroy may hang for ever
lttng_cost() {
	command -v lttng-sessiond >/dev/null && command -v lttng >/dev/null ||
		{ echo "lttng-tools is not installed" >&2; return; }
	$CC -O2 -Itests/bench/peers -o "$dir/lttng" tests/bench/peers/lttng.c \
	    -llttng-ust -ldl 2>"$dir/err" ||
		{ echo "liblttng-ust-dev is not installed" >&2; return; }
	export LTTNG_HOME="$dir" LTTNG_UST_REGISTER_TIMEOUT=3000
	if [ "$(id -u)" = 0 ] && [ -S /var/run/lttng/client-lttng-sessiond ] &&
	    timeout 5 lttng list >/dev/null 2>&1; then
		echo "an lttng session daemon is in use; left alone" >&2
		return
	fi
	timeout 10 lttng-sessiond --daemonize --no-kernel \
	    --pidfile "$dir/sessiond.pid" >/dev/null 2>&1
	sessiond=$(cat "$dir/sessiond.pid" 2>/dev/null)
	{ timeout 10 lttng create bench --output="$dir/trace" &&
	    timeout 10 lttng enable-event -u 'orrery_bench:send' &&
	    timeout 10 lttng start; } >/dev/null 2>&1 ||
		{ echo "lttng does not start a session" >&2; return; }
	out=$(timeout 30 "$dir/lttng")
	timeout 10 lttng stop >/dev/null 2>&1
	timeout 10 lttng destroy bench >/dev/null 2>&1
	[ -n "$out" ] && peer "LTTng-UST tracepoint" "${out% *}"
	[ -n "$out" ] && peer "LTTng-UST tracepoint, best" "${out#* }"
}

uftrace_cost() {
	command -v uftrace >/dev/null ||
		{ echo "uftrace is not installed" >&2; return; }
	$CC -O2 -o "$dir/plain" tests/bench/peers/calls.c
	for how in -pg -finstrument-functions; do
		$CC -O2 $how -o "$dir/calls" tests/bench/peers/calls.c &&
		    with=$(timeout 60 uftrace record -d "$dir/uftrace" \
			--no-libcall -F empty "$dir/calls" 2>/dev/null) || continue
		rm -rf "$dir/uftrace"
		without=$("$dir/plain")
		peer "uftrace $how, entry or exit" \
		    "$(awk -v a="$with" -v b="$without" 'BEGIN { print (a - b) / 2 }')"
	done
}

lttng_cost
uftrace_cost
