#!/bin/sh
# Puts the tables that protodoc prints between their markers,
#	.\" BEGIN name ... .\" END name
# into the manual pages: docs/protodoc.sh PROTODOC PAGE...
set -eu
protodoc=$1
shift
for page; do
	awk -v protodoc="$protodoc" '
		/^\.\\" END / { skip = 0 }
		!skip { print }
		/^\.\\" BEGIN / {
			command = protodoc " " $3
			while ((command | getline line) > 0)
				print line
			if (close(command) != 0)
				exit 1
			skip = 1
		}' "$page" > "$page.new"
	mv "$page.new" "$page"
done
