# What a viewer keeps of a log in the background gets the time that nobody else
# wants: on a busy machine none, for minutes.  Sourced by tests that wait for
# it; dir is theirs, and in the environment of all that they start.

# hurry: whoever of ours stands back like that gets time as others do.  Only
# root may say so; for others it is a matter of patience.
hurry() {
	for p in $(grep -lsaF -e "$dir" /proc/[0-9]*/environ |
	    sed 's|/proc/\([0-9]*\)/.*|\1|'); do
		[ "$(sed 's/.*) //' "/proc/$p/stat" 2>/dev/null |
		    cut -d ' ' -f 39)" = 5 ] || continue # SCHED_IDLE
		chrt -a -o -p 0 "$p" && renice -n 0 -p $(ls "/proc/$p/task")
	done >/dev/null 2>&1
	return 0
}
