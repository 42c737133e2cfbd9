#!/bin/sh
# page.sh NAME: a page of docs/ made from what long runs print, one after
# another.  A run is a line of scripts/NAME.list; its output is kept in
# build/NAME/, so that what was interrupted goes on where it was (FRESH=1
# begins again).  scripts/NAME.head begins the page, scripts/NAME.remarks, what
# is to be said of the results, ends it.
#
#	BUILD	where the programs are (build)
#	ONLY	names of runs, to run only these
set -u
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
export BUILD
page=${1:?which page}
kept=build/$page
list=scripts/$page.list
[ -f "$list" ] || { echo "page.sh: no $list" >&2; exit 64; }
mkdir -p "$kept"
[ -z "${FRESH:-}" ] || rm -f "$kept"/*

# run NAME COMMAND: the output, and beside it the seconds, the code, the state
run() {
	began=$(date +%s)
	echo "$page: $1: $2" >&2
	sh -c "$2" >"$kept/$1.part" 2>&1
	code=$?
	printf '%s\t%s\t%s\t%s\n' "$(date -u +%Y-%m-%d)" "$(($(date +%s) - began))" \
	    "$code" "$(git rev-parse --short HEAD 2>/dev/null)" >"$kept/$1.how"
	mv "$kept/$1.part" "$kept/$1"
	echo "$page: $1: exit $code after $(($(date +%s) - began)) s" >&2
}

# lined FILE LINES: its last; those whose columns tabs separate come last, and
# their columns stand below each other
lined() {
	tail -n "$2" "$1" | grep -v "$tab"
	tail -n "$2" "$1" | grep "$tab" | column -t -s "$tab"
}

# section NAME LINES COMMAND WHAT
section() {
	printf '\n## %s\n\n' "$4"
	[ -f "$kept/$1.how" ] || { echo 'Not run.'; return; }
	IFS="$tab" read -r day seconds code commit <"$kept/$1.how"
	printf '%s, commit %s, %s s, exit code %s:\n\n' "$day" "$commit" "$seconds" "$code"
	printf '    $ %s\n' "$3"
	lined "$kept/$1" "$2" | sed 's/^/    /'
}

tab=$(printf '\t')
failed=0
while IFS="$tab" read -r name lines command what; do
	case $name in ''|'#'*) continue ;; esac
	case " ${ONLY:-$name} " in *" $name "*) ;; *) continue ;; esac
	[ -f "$kept/$name.how" ] || run "$name" "$command" </dev/null
	[ "$(cut -f 3 "$kept/$name.how")" = 0 ] || failed=$((failed + 1))
done <"$list"

{
	cat "scripts/$page.head"
	printf 'The machine: %s processors,\n%s, Linux %s.\n' "$(nproc)" \
	    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
	    "$(uname -r | sed "s/-.*//")"
	while IFS="$tab" read -r name lines command what; do
		case $name in ''|'#'*) continue ;; esac
		section "$name" "$lines" "$command" "$what"
	done <"$list"
	[ ! -f "scripts/$page.remarks" ] || { echo; cat "scripts/$page.remarks"; }
} >"docs/$page.md.new" && mv "docs/$page.md.new" "docs/$page.md"
echo "$page: docs/$page.md is written; $failed runs failed" >&2
[ "$failed" = 0 ]
