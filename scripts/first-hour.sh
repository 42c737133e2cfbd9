#!/bin/sh
# README and orrery(7), word for word, on a bare Debian 12: made by debootstrap,
# the sources copied in, packages by scripts/deps.sh, built, installed and used
# as root and as a user; then a cluster of machines by ssh, and what goes wrong
# there at first.  Needs root, debootstrap and a mirror; some minutes.
#
#	MIRROR	where Debian is (that of this machine)
set -u
cd "$(dirname "$0")/.."
skip() { echo "$*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "must be root"
command -v debootstrap >/dev/null || skip "no debootstrap"
MIRROR=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
    'Origin: Debian' 'Codename: bookworm' 2>/dev/null | head -n 1)}
[ -n "$MIRROR" ] || skip "no mirror known"

bare=$(mktemp -d /var/tmp/bare.XXXXXX)
trap 'rm -rf --one-file-system "$bare"' EXIT
chmod 755 "$bare"
debootstrap --variant=minbase bookworm "$bare" "$MIRROR" >"$bare.log" 2>&1 ||
    { tail -n 3 "$bare.log"; rm -f "$bare.log"; skip "debootstrap fails with $MIRROR"; }
rm -f "$bare.log"
cp /etc/resolv.conf "$bare/etc/" 2>/dev/null
[ ! -d /etc/apt/apt.conf.d ] || cp -n /etc/apt/apt.conf.d/* "$bare/etc/apt/apt.conf.d/"
mkdir "$bare/src"
git ls-files -z | xargs -0 cp -r --parents -t "$bare/src"
cat >"$bare/steps" <<'END'
set -eu
mount -t proc none /proc

mount -t tmpfs -o mode=1777 none /tmp
cd /src
# README, Install: the commands as they stand there
awk '/^## /{ in_it = $0 == "## Install" } in_it && /^    / { print substr($0, 5) }
    in_it && /^or/ { exit }' README.md >/install
cat /install
sh -eu /install >/install.log 2>&1 || { tail -n 20 /install.log; exit 1; }
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ python3 >/dev/null
sh scripts/first-steps.sh /src
make -s uninstall
ldconfig
useradd -m newcomer
runuser -u newcomer -- make -s install 'PREFIX=/home/newcomer/.local'
runuser -u newcomer -- env HOME=/home/newcomer sh -c \
    "$(sed -n 's/^    \(export PATH=\)/\1/p' README.md); sh scripts/first-steps.sh /src"
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    openssh-server openssh-client iproute2 >/dev/null
BUILD=build sh tests/system/first_hour.sh
END
# a root that is a place of its own: what is mounted below it stays there
unshare -mp --fork sh -c 'mount --bind "$0" "$0" && exec chroot "$0" sh /steps' "$bare"
