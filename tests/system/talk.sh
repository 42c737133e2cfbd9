#!/bin/sh
# Two processes that know nothing of Orrery talk through TCP, Unix sockets and
# pipes, with writes that are cut and reads that are cut otherwise: each message
# is sent and received once, with its size, and the bytes are those of the
# program's own count and of the kernel's; datagrams are counted.  What cannot
# be followed is told of and not matched.  Daemons that are killed meanwhile do
# no harm.
#
#	REQUESTS=1000000 talk.sh tcp pipe	only these ways, so many requests each
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
# a sanitizer's library has to be the first that is loaded
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
talk=$BUILD/tests/apps/talk
requests=${REQUESTS:-1000} only=$*
[ $# -gt 0 ] || set -- tcp unix pair pipe 'tcp nonblocking' 'pipe nonblocking'

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
for how in "$@"; do
	nonblocking=${how#"${how% nonblocking}"}
	timeout -s KILL $((100 + requests / 2000)) "$monitorctl" run --full wait --memory off \
	    "$talk" "${how% *}" "$requests" $nonblocking >>"$dir/out" 2>"$dir/err" ||
	    fail "$how: $? $(cat "$dir/err")"
	says "$dir/err" ' 0 lost'
done
"$talk" "${1% *}" "$requests" >"$dir/bare" || fail "without"
head -n 2 "$dir/out" | cmp - "$dir/bare" || fail "another output"
finish

"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
python3 - "$dir/rows" "$dir/out" <<'END' || fail "not what the programs did"
# Each message once on each side, of one size, sent before it is received.
import collections, csv, sys

sent, received, where = {}, collections.Counter(), collections.defaultdict(collections.Counter)
gaps = 0
for row in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
    kind, a, b, at = row["kind"], int(row["a"], 0), int(row["b"], 0), row["location"]
    gaps += kind == "stream_gap"
    if kind not in ("send", "receive"):
        continue
    if a == 0:
        sys.exit(f"FAIL: one that is not known: {row}")
    if kind == "send":
        if a in sent:
            sys.exit(f"FAIL: sent twice: {row}")
        sent[a] = b
    else:
        received[a] += 1
        if sent.get(a) != b or received[a] > 1:
            sys.exit(f"FAIL: received otherwise than sent: {row}")
    where[at].update({f"{kind}s": 1, f"{kind} bytes": b})
truth = collections.Counter()
told = collections.Counter((c["sends"], c["send bytes"], c["receive bytes"]) for c in where.values())
for line in open(sys.argv[2]):
    who, messages, out, into, kernel = line.split("\t")
    truth[int(messages), int(out), int(into)] += 1
    if out != kernel.strip():
        sys.exit(f"FAIL: the kernel has counted otherwise: {line}")
if told != truth:
    sys.exit(f"FAIL: {told}, not {truth}")
if gaps or len(sent) != len(received):
    sys.exit(f"FAIL: {gaps} gaps, {len(sent)} sent, {len(received)} received")
print(f"{len(sent)} messages, {sum(sent.values())} bytes")
END
[ -z "$only" ] || exit 0

# datagrams: each is a message, without a partner; the empty one and the cut too
cluster 1 >"$dir/c.yaml"
rm -f "$dir/run.orr"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
: >"$dir/out"
for how in udp udp6 unix seq; do
	timeout -s KILL 60 "$monitorctl" run --memory off "$BUILD/tests/apps/datagrams" $how >>"$dir/out" 2>"$dir/err"
	case $? in 0) ;; 77) [ $how = udp6 ] || fail "no $how" ;; *) fail "$how: $(cat "$dir/err")" ;; esac
done
finish
"$monitorctl" dump --raw --kind send,receive,stream_gap "$dir/run.orr" |
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["a"] != 0 || $at["kind"] == "stream_gap" { print "matched: " $0; exit }
	{ n[$at["location"], $at["kind"]]++; bytes[$at["location"], $at["kind"]] += $at["b"]; who[$at["location"]] }
	END { for (w in who) print n[w, "send"] "\t" bytes[w, "send"] "\t" n[w, "receive"] "\t" bytes[w, "receive"] }' |
    sort >"$dir/told"
cut -f 2- "$dir/out" | sort | cmp - "$dir/told" || fail "other datagrams: $(cat "$dir/told")"

# what no wrapper sees, two at once, and another way: told, never matched wrongly
cat >"$dir/odd.py" <<'END'
import os, socket, sys, threading
r, w = os.pipe()
unseen = os.fdopen(os.dup(w), "wb", 0)
if os.fork() == 0:
    libc = __import__("ctypes").CDLL(None)
    os.write(w, b"seen")
    libc.syscall(1, w, b"unseen", 6)
    os._exit(0)
os.wait()
assert os.read(r, 100) == b"seenunseen"
os.write(w, b"after")
assert os.read(r, 100) == b"after"

# two that read at once: who has what is anybody's guess
r, w = os.pipe()
both = [threading.Thread(target=os.read, args=(r, 1)) for _ in range(2)]
for t in both:
    t.start()
while any(open(f"/proc/self/task/{t.native_id}/stat").read().split(")")[1].split()[0] != "S" for t in both):
    pass
os.write(w, b"x")
os.write(w, b"y")
for t in both:
    t.join()

# a descriptor that is handed on goes on where it was
a, b = socket.socketpair()
c, d = socket.socketpair()
a.send(b"12345")
assert b.recv(2) == b"12"
if os.fork() == 0:
    _, fds, _, _ = socket.recv_fds(d, 10, 1)
    assert os.read(fds[0], 3) == b"345"
    assert os.read(fds[0], 3) == b"678"
    os._exit(0)
socket.send_fds(c, [b"take"], [b.fileno()])
b.close()
a.send(b"678")
assert os.wait()[1] == 0

# descriptors with large numbers
r, w = os.pipe()
os.dup2(r, 300)
os.dup2(w, 301)
os.write(301, b"from afar..")
assert os.read(300, 100) == b"from afar.."

# what is only looked at has not been received
a, b = socket.socketpair()
a.send(b"look")
assert b.recv(10, socket.MSG_PEEK) == b"look" and b.recv(10) == b"look"

# one that writes before the other has accepted, and does not wait for that
path = sys.argv[1]
l = socket.socket(socket.AF_UNIX)
l.bind(path)
l.listen(5)
a = socket.socket(socket.AF_UNIX)
a.connect(path)
a.setblocking(False)
a.send(b"early one")
try:
    a.recv(5)
except BlockingIOError:
    pass
b, _ = l.accept()
assert b.recv(20) == b"early one"
b.send(b"an early other")
assert a.recv(20) == b"an early other"

# sendfile: of a file no more goes than there is
a, b = socket.socketpair()
f = os.memfd_create("f")
os.write(f, b"z" * 1000)
assert os.sendfile(a.fileno(), f, 0, 1 << 20) == 1000
n = 0
while n < 1000:
    n += len(b.recv(300))
END
cluster 1 >"$dir/c.yaml"
rm -f "$dir/run.orr"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
python=$(python3 -c 'import sys; print(sys.executable)')
timeout -s KILL 60 "$monitorctl" run --memory off "$python" "$dir/odd.py" "$dir/sock" 2>"$dir/err" || fail "odd: $(cat "$dir/err")"
finish
"$monitorctl" dump "$dir/run.orr" >"$dir/odd"
says "$dir/odd" 'stream_gap .*written unseen'
says "$dir/odd" 'stream_gap .*two read a stream at once'
[ "$(grep -c stream_gap "$dir/odd")" = 2 ] || fail "other gaps: $(grep stream_gap "$dir/odd")"
"$monitorctl" report "$dir/run.orr" >"$dir/text"
says "$dir/text" "^  two read a stream at once  *python3[^ ]*  *1$"
for size in 5 3 4 9 11 14 1000; do
	[ "$(grep -Ec "receive message=0x[0-9a-f]{2,} size=$size " "$dir/odd")" -ge 1 ] || fail "none of $size bytes"
done

# one that may only read, write and end: any other call would kill it; and one
# that may not read the clock either
cat >"$dir/shut.c" <<'END'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAY(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter filter[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), MAY(read), MAY(write), MAY(exit),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) };

int
main(int argc, char **argv)
{
	struct sock_fprog all = { sizeof(filter) / sizeof(*filter), filter };
	char c;
	int p[2], q[2];

	(void)argv;
	if (pipe(p) != 0 || pipe(q) != 0 || write(p[1], "x", 1) != 1 || read(p[0], &c, 1) != 1)
		return (1);
	if (argc > 1 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)
		     : prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
		return (2);
	for (int i = 0; i < 100; i++)
		if (write(p[1], "y", 1) != 1 || read(p[0], &c, 1) != 1 || c != 'y' ||
		    write(q[1], "z", 1) != 1 || read(q[0], &c, 1) != 1 || c != 'z')
			syscall(SYS_exit, 3);
	syscall(SYS_exit, 0);
}
END
if ${CC:-cc} -O1 -D_GNU_SOURCE -o "$dir/shut" "$dir/shut.c" 2>/dev/null && "$dir/shut" && "$dir/shut" strict; then
	cluster 1 >"$dir/c.yaml"
	rm -f "$dir/run.orr"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	for how in '' strict; do
		# shellcheck disable=SC2086
		timeout -s KILL 60 "$monitorctl" run --memory off "$dir/shut" $how 2>"$dir/err" ||
		    fail "shut in: $? $(cat "$dir/err")"
	done
	finish
	"$monitorctl" dump "$dir/run.orr" >"$dir/shut.rows"
	[ "$(grep -c 'receive .*size=1' "$dir/shut.rows")" = 102 ] ||
	    fail "of those that are shut in: $(cat "$dir/err" "$dir/receipt") $(cut -c 1-110 "$dir/shut.rows" | uniq -c -f 3 | head -n 300)"
fi

# across nodes, whose clocks are seconds apart; one end sees addresses of IPv6
cat >"$dir/serve.py" <<'END'
import socket, sys
try:
    l = socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
except (OSError, ValueError):
    l = socket.create_server(("127.0.0.1", 0))
open(sys.argv[1] + ".new", "w").write(str(l.getsockname()[1]))
__import__("os").rename(sys.argv[1] + ".new", sys.argv[1])
s, _ = l.accept()
while data := s.recv(1000):
    s.sendall(b"answer to " + data)
END
cat >"$dir/ask.py" <<'END'
import socket, sys
s = socket.create_connection(("127.0.0.1", int(open(sys.argv[1]).read())))
for i in range(50):
    s.sendall(b"%d" % i)
    assert s.recv(1000) == b"answer to %d" % i
END
cluster 2 >"$dir/c.yaml"
rm -f "$dir/run.orr"
start_monitord "$dir/c.yaml"
wait_for 20 "the nodes" nodes_ready 2
ORRERY_NODE=n1 timeout -s KILL 60 "$monitorctl" run "$python" "$dir/serve.py" "$dir/port" 2>"$dir/err1" &
server=$!
wait_for 20 "the server" test -f "$dir/port"
ORRERY_NODE=n2 timeout -s KILL 60 "$monitorctl" run "$python" "$dir/ask.py" "$dir/port" 2>"$dir/err" || fail "ask: $(cat "$dir/err")"
wait $server || fail "serve: $(cat "$dir/err1")"
finish
"$monitorctl" report "$dir/run.orr" >"$dir/text"
says "$dir/text" '^messages 100, received 100, bytes [0-9]*, between nodes 100$'

# between machines, which share no table: two runtime directories, two addresses.
# What is read as it was written is matched, its head first or not; of what comes
# in pieces, or is read together with the next one, the last.
mkdir -m 700 "$dir/far"
cat >"$dir/far.py" <<'END'
import socket, sys, time
def exactly(s, n):
    data = b""
    while len(data) < n:
        data += s.recv(n - len(data))
    return data
def serve():
    l = socket.create_server(("127.0.0.1", 0))
    open(sys.argv[2] + ".new", "w").write(str(l.getsockname()[1]))
    __import__("os").rename(sys.argv[2] + ".new", sys.argv[2])
    for _ in range(2):
        s, _ = l.accept()
        for _ in range(50):
            n = int(exactly(s, 4))
            s.sendall(exactly(s, n)[::-1])
        s.sendall(b"go on")
        assert len(s.recv(100, socket.MSG_WAITALL)) == 100
        s.close()
def ask():
    for _ in range(2):
        s = socket.create_connection(("127.0.0.1", int(open(sys.argv[2]).read())), source_address=("127.0.0.2", 0))
        for i in range(50):
            word = b"%d" % 7 ** i
            s.sendall(b"%4d" % len(word) + word)
            assert s.recv(1000) == word[::-1]
        assert s.recv(5) == b"go on"
        s.sendall(b"1" * 50)
        s.sendall(b"2" * 50)
        assert s.recv(1) == b""
globals()[sys.argv[1]]()
END
sed 's/name: n2,/name: n2, launch: none,/' <<END >"$dir/c.yaml"
$(cluster 2)
END
rm -f "$dir/run.orr" "$dir/port"
start_monitord "$dir/c.yaml"
ORRERY_DIR=$dir/far "$BUILD/collector/collector" --name n2 --monitord "unix:$ORRERY_DIR/monitord.sock" 2>"$dir/n2.err" &
collector=$!
wait_for 20 "the nodes" nodes_ready 2
timeout -s KILL 60 "$monitorctl" run "$python" "$dir/far.py" serve "$dir/port" 2>"$dir/err1" &
server=$!
wait_for 20 "the server" test -f "$dir/port"
ORRERY_DIR=$dir/far timeout -s KILL 60 "$monitorctl" run "$python" "$dir/far.py" ask "$dir/port" 2>"$dir/err" || fail "ask: $(cat "$dir/err")"
wait $server || fail "serve: $(cat "$dir/err1")"
finish
wait $collector
"$monitorctl" report "$dir/run.orr" >"$dir/text"
says "$dir/text" '^messages 206, received 204, bytes [0-9]*, between nodes 204$'

# monitord and a collector that are killed in the middle
cluster 1 >"$dir/c.yaml"
rm -f "$dir/run.orr"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
n=$((requests * 20))
timeout -s KILL 100 "$monitorctl" run --full wait:60000 --memory off "$talk" pipe $n >"$dir/killed" 2>"$dir/err" &
program=$!
wait_for 20 "messages" stored 2000
kill -KILL $monitord_pid
wait $monitord_pid
for p in $(ours); do
	[ "$(cat "/proc/$p/comm" 2>/dev/null)" != collector ] || worker=$p
done
kill -KILL "$worker"
start_monitord "$dir/c.yaml"
wait $program || fail "the program was harmed: $? $(cat "$dir/err")"
"$talk" pipe $n | cmp - "$dir/killed" || fail "another output"
wait_for 30 "the node" nodes_ready 1
finish
"$monitorctl" dump --raw --kind send,receive "$dir/run.orr" |
    awk -v n=$((2 * n)) '$0 ~ /send/ { s++ } /receive/ { r++ } END { exit(s != n || r != n) }' ||
    fail "not every message is there"
