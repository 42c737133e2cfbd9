#!/bin/sh
# Installs the Debian packages that are missing.
#
#	scripts/deps.sh [build|demo|check|bench|unharmed]
#
# Says what it does; does nothing when all is there.  Each set includes the
# ones before it; unharmed all but bench.  DEPS_APT has options for apt-get.
set -eu

build='gcc make pkg-config libc6-dev libevent-dev uuid-dev libzstd-dev
    zlib1g-dev libcyaml-dev libyaml-dev libx11-dev libxext-dev libpng-dev
    libsodium-dev libsqlite3-dev libotf2-trace-dev libdw-dev libelf-dev g++'
demo='xvfb procps'
check='clang libclang-rt-14-dev clang-tidy clang-format libcmocka-dev mandoc
    xdotool x11-utils python3 openssh-server openssh-client strace
    patch iproute2 util-linux sqlite3 babeltrace2 otf2-tools pajeng
    libopenmpi-dev openmpi-bin libomp-dev'
bench='bsdextrautils lttng-tools liblttng-ust-dev uftrace'
unharmed='aspell-en bc binutils bison busybox-static bzip2 cmake cpio curl dc
    default-jdk-headless ed ffmpeg file flex gawk gdb gfortran git gnuplot-nox
    golang-go graphviz groff guile-3.0 hpcc imagemagick jq libjemalloc2
    libmpich-dev libtcmalloc-minimal4 libxml2-utils lua5.4 lz4 m4
    memcached mpich nginx-light nodejs openssl p7zip-full parallel php-cli pigz
    poppler-utils python3-numpy redis-server rsync ruby rustc socat
    stress-ng tcl time valgrind vim-tiny xz-utils zstd'

case ${1:-build} in
build)	want="$build" ;;
demo)	want="$build $demo" ;;
check)	want="$build $demo $check" ;;
bench)	want="$build $demo $check $bench" ;;
unharmed) want="$build $demo $check $unharmed" ;;
*)	echo "deps: usage: deps.sh [build|demo|check|bench|unharmed]" >&2; exit 64 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "deps: this is no Debian; please see to it yourself that these are installed:"
	echo "deps: " $want
	exit 0
fi

missing=
for p in $want; do
	s=$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null || true)
	[ "$s" = installed ] || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" != 0 ]; then
	if command -v sudo >/dev/null 2>&1; then
		sudo=sudo
	else
		echo "deps: these packages are missing:$missing" >&2
		echo "deps: install them as root: apt-get install$missing" >&2
		exit 77
	fi
fi

echo "deps: installing:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
	$sudo apt-get install -y --no-install-recommends ${DEPS_APT:-} $missing >"$log" 2>&1
}
if ! install; then
	echo "deps: asking for the list of packages first"
	$sudo apt-get update >/dev/null 2>&1 || true
	if ! install; then
		tail -n 5 "$log" >&2
		echo "deps: could not install:$missing" >&2
		echo "deps: install them by hand, then try again" >&2
		exit 69
	fi
fi
echo "deps: done"
