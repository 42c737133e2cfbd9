# Whether tests/reader, which was written from orrery-log(5) alone, finds in the
# logs of a test what dump does.  Sourced by lib.sh and x11/lib, which have dir,
# tests and monitorctl.
#
#	READER=all	logs of any size; otherwise up to half a megabyte, which
#			is a second of work, and none of a sanitizer's build
#	READER=no	none
#	READER_TELLS=F	F gets a line for each log: how many events were equal

# reads_equal LOG...: each that has not been compared as it is; 1: one differs
reads_equal() {
	case ${READER:-$BUILD} in no | */san | */tsan) return 0 ;; esac
	command -v python3 >/dev/null || return 0
	for log; do
		[ "${READER:-}" = all ] ||
		    [ "$(stat -Lc %s "$log")" -le 524288 ] || continue
		this=$(stat -Lc '%i %s %Y %n' "$log")
		! grep -qxsF "$this" "$dir/compared" || continue
		python3 -B "$tests/reader/readlog" --against "$monitorctl dump --raw" "$log" \
		    >"$dir/reader" 2>&1 ||
		    { echo "FAIL: the reader finds something else"; cat "$dir/reader"; return 1; }
		echo "$this" >>"$dir/compared"
		[ -z "${READER_TELLS:-}" ] || cat "$dir/reader" >>"$READER_TELLS"
	done
}

# reads_left: all that a test leaves, in whatever state
reads_left() {
	for left in "$dir"/*.orr "$dir"/*/*.orr; do
		[ ! -f "$left" ] || reads_equal "$left" || return 1
	done
}
