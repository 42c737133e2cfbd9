#!/bin/sh
# What the documents speak of is there, and what is there is in them: options,
# commands, words of scripts, state lines and files of settings, variables of
# the environment, files and make targets.  (Keys, commands and formats are
# printed into the pages by the programs: x11/man.sh, protodoc.sh.)
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
bad=0
wrong() { echo "$*"; bad=1; }
# in_both WHERE OTHER: the words of two lists, one a line, are the same
in_both() {
	sort -u "$dir/$1" >"$dir/a"
	sort -u "$dir/$2" >"$dir/b"
	[ -s "$dir/a" ] || wrong "nothing found in $1"
	for w in $(comm -23 "$dir/a" "$dir/b"); do wrong "$w is in $1, not in $2"; done
	for w in $(comm -13 "$dir/a" "$dir/b"); do wrong "$w is in $2, not in $1"; done
}
# all_in WHAT PAGE...: each word of the list is in one of the pages
all_in() {
	list=$dir/$1
	[ -s "$list" ] || wrong "no $1 found"
	while read -r w; do
		cat "$2" "${3:-/dev/null}" | grep -qE "(^|[^a-z-])$w([^a-z-]|\$)" ||
		    wrong "$1: $w is not in $2"
	done <"$list"
}

# --- options: as --help says them, and as the pages have them ---
options_said() { grep -oE '(^|[ [,])--[a-z][a-z-]*' | grep -oE '[a-z][a-z-]*$'; }
options_in() { # PAGE: those that are items or in the synopsis
	sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p; /^\.It Fl/p' "$1" |
	    grep -oE 'Fl (-|Fl )[a-z][a-z-]*' | grep -oE '[a-z][a-z-]*$'
	grep '^\.It Fl' "$1" | grep -oE ', -[a-z][a-z-]*' | grep -oE '[a-z][a-z-]*$'
}
for p in monitord/monitord.8 collector/collector.8 tools/monitorctl.1 viewer/viewer.1; do
	name=${p##*/} program=$BUILD/${p%.*}
	{ "$program" --help
	if [ "$name" = monitorctl.1 ]; then
		for c in status who run dump report check before past future refit shutdown; do
			"$program" $c --help
		done
		echo " --output" # said as -o
	fi; } | options_said >"$dir/--help-of-$name"
	options_in "docs/$name" >"$dir/$name"
	in_both "--help-of-$name" "$name"
done

# --- commands of monitorctl ---
"$monitorctl" --help | sed -n 's/^  \([a-z]\{2,\}\) .*/\1/p' >"$dir/commands"
all_in commands docs/monitorctl.1

# --- words of the viewer's scripts, state lines and settings ---
sed -n 's/^	{ "\([a-z]*\)", \(do\|wait\)_.*/\1/p' viewer/app/script_verbs.c >"$dir/verbs"
all_in verbs docs/viewer.1
grep -oE '[ "][a-z-]+=%' viewer/ui/whole/state.c | tr -d ' "=%' >"$dir/state-line"
sed -n '/^\.Sh STATE LINE/,/^\.Sh ENVIRONMENT/p' docs/viewer.1 >"$dir/states"
all_in state-line "$dir/states"
sed -n '/allowed\[\] = /,/};/p' viewer/ui/whole/config.c | grep -oE '"[a-z-]+"' | tr -d '"' >"$dir/settings"
grep -oE '"[a-z-]+ "' viewer/ui/whole/config.c | tr -d '" ' >>"$dir/settings"
all_in settings docs/viewer.1

# --- the cluster file ---
grep -oE '^	(TEXT|CYAML_FIELD_[A-Z_]*)\("[a-z_]+"' monitord/shell/conf.c |
    grep -oE '"[a-z_]+"' | tr -d '"' >"$dir/cluster-file"
grep -oE 'OPTION\([a-z_]+\)' monitord/shell/conf.c | grep -v '(key)' |
    sed 's/.*(//; s/)//' >>"$dir/cluster-file"
all_in cluster-file docs/orrery-cluster.5

# --- the environment ---
grep -rhoE 'getenv\("[A-Z_]+"\)' --include=*.c --include=*.h proto common \
    libprobe collector monitord tools viewer logical |
    grep -oE '[A-Z_]{2,}' | sort -u >"$dir/environment"
cat docs/*.[1-8] >"$dir/pages"
all_in environment "$dir/pages"

# --- files and targets that the documents name ---
for d in README.md ARCHITECTURE.md HACKING.md docs/*.md; do
	grep -oE '`[A-Za-z0-9_./-]+\.(c|h|hpp|sh|def|mk|md|yaml|orr|[1-8])`' "$d" |
	    tr -d '`' | sort -u | while read -r f; do
		case $f in
		*NAME*|*FOLDER*|run.orr|cluster.yaml) continue ;; # examples
		esac
		[ -e "$f" ] || find . -name "${f##*/}" -path "*/$f" \
		    -not -path './build/*' | grep -q . ||
			echo "$d: no file $f"
	done >"$dir/files"
	[ ! -s "$dir/files" ] || wrong "$(cat "$dir/files")"
	grep -oE '(`|^ +)make [a-z-]+' "$d" | sed 's/.*make //' | sort -u |
	    while read -r t; do
		cat Makefile mk/*.mk | grep -qE "^([a-z-]+ )*$t( [a-z-]+)*:" ||
		    echo "$d: no target $t"
	done >"$dir/targets"
	[ ! -s "$dir/targets" ] || wrong "$(cat "$dir/targets")"
done
# --- rooms: those of the viewer are in ARCHITECTURE.md, the others on a page ---
sed -n 's/^room \([^ ]*\) .*/\1/p' tests/layers/rooms | grep -v '^tests/' >"$dir/rooms"
grep -v '^viewer/' "$dir/rooms" >"$dir/tests-layers-rooms"
sed -n 's/^| \([a-z/]*\) |.*/\1/p' docs/rooms.md | grep -v '^room$' >"$dir/docs-rooms.md"
in_both tests-layers-rooms docs-rooms.md
for r in $(grep '^viewer/' "$dir/rooms"); do
	grep -q "^| .*\<${r##*/}\>.* |.*|.*|" ARCHITECTURE.md ||
	    wrong "$r is in tests/layers/rooms and in no table of ARCHITECTURE.md"
done

[ $bad = 0 ] || fail "documents and programs differ"
echo "the documents are up to date"
