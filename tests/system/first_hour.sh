#!/bin/sh
# The first hour, on this machine: make install as root into an empty /usr/local
# and as a user into a home, in namespaces of their own, then what README and
# orrery(7) say, word for word; and a cluster of three machines by ssh.  The
# same on a bare Debian 12: make first-hour.
set -u
cd "$(dirname "$0")/../.."
if [ "${1:-}" != inside ]; then
	. tests/lib.sh
	case $BUILD in */build) ;; *) skip "only for the plain build" ;; esac
	[ "$(id -u)" = 0 ] || skip "must be root"
	unshare -mnu true 2>/dev/null || skip "no namespaces here"
	unshare -mnu sh "$0" inside "$dir"
	exit $?
fi

dir=$2
fail() { echo "FAIL: $*"; exit 1; }
machines=
trap '[ -z "$machines" ] || kill $machines 2>/dev/null' EXIT
# others neither see nor need what is mounted here
mount --make-rprivate / && mkdir "$dir/local" "$dir/etc" && cp -a /etc/. "$dir/etc" &&
    mount --bind "$dir/local" /usr/local && mount --bind "$dir/etc" /etc || fail "mounts"
ip link set lo up
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
chmod 755 "$dir" "$dir/local"
make -s install >"$dir/out" 2>&1 || { tail "$dir/out"; fail "make install"; }
ldconfig -p | grep -q '/usr/local/lib/libprobe.so.1' || fail "the linker does not know libprobe"
sh scripts/first-steps.sh "$PWD" || exit 1

# What goes wrong at first is told in words that help, and stops nothing else.
mistakes() {
	printf 'nodes:\n  - { name: n[01-16] }\n' >flow.yaml
	monitord -n flow.yaml >flow.out 2>&1
	[ $? -eq 78 ] && grep -q 'wants quotes, as in "n\[01-16\]"' flow.out ||
	    { cat flow.out; fail "a range within braces"; }
	echo "127.0.1.9 n09" >>/etc/hosts # where nobody listens
	printf 'defaults: { launch: ssh }\nnodes:\n  - name: n01\n  - name: n04\n  - name: n09\n' >wrong.yaml
	monitord --log wrong.orr wrong.yaml 2>wrong.err &
	monitord=$!
	for words in 'n01 .*state: running *clock: [lc]' \
	    'n04 .*AllowStreamLocalForwarding yes' 'n09 .*Connection refused'; do
		tries=1200
		until monitorctl status 2>&1 | grep -q "$words"; do
			tries=$((tries - 1))
			[ $tries -gt 0 ] || { monitorctl status; cat wrong.err; fail "status has no: $words"; }
			sleep 0.05
		done
	done
	ssh n01 monitorctl run first || fail "the program where all is well"
	monitorctl shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt"; fail "shutdown"; }
	wait $monitord
	[ "$(monitorctl dump --node n01 --kind enter wrong.orr | wc -l)" -eq 1000 ] ||
	    fail "n01 has not said all beside nodes that are not there"
	echo "mistakes: ok"
}

# --- a cluster: three machines that know each other by name ---
cluster() {
	command -v sshd >/dev/null && command -v ssh-keygen >/dev/null || { echo "no ssh: no cluster"; return; }
	export HOME=$dir/home
	mkdir -p -m 700 "$HOME/.ssh" "$dir/keys" /run/sshd
	mount --bind "$HOME" /root || fail "a home"
	ssh-keygen -q -t ed25519 -N '' -f "$HOME/.ssh/id_ed25519"
	ssh-keygen -q -t ed25519 -N '' -f "$dir/keys/host"
	cp "$HOME/.ssh/id_ed25519.pub" "$HOME/.ssh/authorized_keys"
	mkdir "$dir/bin" && cat >"$dir/machine" <<'END'
mount -t tmpfs -o mode=1777 none /tmp && hostname "$1" && exec /usr/sbin/sshd -D \
    -f /dev/null -o ListenAddress="$2" -o HostKey="$3" -o StrictModes=no \
    -o PidFile=none -o UsePAM=no -o PermitRootLogin=yes \
    -o AllowStreamLocalForwarding="$4"
END
	cp "$dir/keys/host" "$dir/etc/host" && chmod 600 "$dir/etc/host"
	for i in 1 2 3 4; do # the last one as its administrator wants it
		echo "127.0.1.$i n0$i" >>/etc/hosts
		echo "n0$i $(cat "$dir/keys/host.pub")" >>"$HOME/.ssh/known_hosts"
		unshare -mu sh "$dir/machine" n0$i 127.0.1.$i /etc/host $([ $i = 4 ] && echo no || echo yes) 2>>"$dir/sshd.err" &
		machines="$machines $!"
	done
	# what the page has, with three machines instead of four
	sed -n '/^\.Sh SEVERAL MACHINES/,/^\.Ed/p' docs/orrery.7 |
	    sed '1,/^\.Bd/d; /^\.Ed/d; s/01-04/01-03/' >"$dir/cluster.yaml"
	for i in 1 2 3 4; do
		tries=600
		until ssh -o BatchMode=yes n0$i true 2>"$dir/ssh.err"; do
			tries=$((tries - 1))
			[ $tries -gt 0 ] || { cat "$dir/ssh.err" "$dir/sshd.err"; fail "no ssh to n0$i"; }
			sleep 0.05
		done
	done
	cc -o "$dir/first" -x c - $(pkg-config --cflags --libs probe) <<'C' || fail "a program"
#include <probe.h>

int
main(void)
{
	for (int i = 0; i < 1000; i++) {
		PROBE_SCOPE();
	}
	return (0);
}
C
	cp "$dir/first" /usr/local/bin/first
	export ORRERY_DIR=$dir/run
	cd "$dir" || exit 70
	monitord --log "$dir/cluster.orr" cluster.yaml 2>"$dir/cluster.err" &
	monitord=$!
	tries=1200
	until [ "$(monitorctl status 2>/dev/null | grep -c 'state: running *clock: [lc]')" -eq 3 ]; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { monitorctl status; cat "$dir/cluster.err"; fail "the cluster does not come up"; }
		sleep 0.05
	done
	for i in 1 2 3; do ssh n0$i monitorctl run first || fail "the program on n0$i"; done
	monitorctl shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt"; fail "shutdown"; }
	wait $monitord || fail "monitord ended with $?"
	monitorctl check cluster.orr >"$dir/check" || { cat "$dir/check"; fail "the log of the cluster"; }
	for i in 1 2 3; do
		[ "$(monitorctl dump --node n0$i --kind enter cluster.orr | wc -l)" -eq 1000 ] || fail "n0$i has not said all"
	done
	mistakes
	cd "$OLDPWD" || exit 70
	unset ORRERY_DIR
	kill $machines
	machines=
	umount /root
	echo "a cluster of three by ssh: ok"
}
cluster

# --- as a user, into a home ---
user=65534
mkdir "$dir/user" && chown $user:$user "$dir/user"
umount /usr/local
setpriv --reuid=$user --regid=$user --clear-groups sh -c '[ -r README.md ] && [ -x build/monitord/monitord ]' ||
    { echo "a user may not look at this tree: only root was tried"; exit 0; }
export HOME=$dir/user
as_user() { setpriv --reuid=$user --regid=$user --clear-groups env HOME="$HOME" "$@"; }
as_user make -s install PREFIX="$HOME/.local" >"$dir/out" 2>&1 || { tail "$dir/out"; fail "make install of a user"; }
exported=$(sed -n 's/^    \(export PATH=\)/\1/p' README.md)
[ -n "$exported" ] || fail "README does not say where a user finds it"
as_user TMPDIR="$HOME" sh -c "$exported; sh scripts/first-steps.sh '$PWD'" || exit 1
