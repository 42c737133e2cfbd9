/*
 * A source file as it is on the disk of who looks at it.  A log says where a
 * file was when the program was built, which may have been elsewhere.
 */
#ifndef VIEWER_SOURCETEXT_H
#define VIEWER_SOURCETEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_PATH_BYTES 4096
#define SOURCE_BYTES_MAX  ((size_t)32 << 20)

struct source_text {
	char *bytes;      /* owned; NULL: nothing was read */
	uint32_t *start;  /* owned; of lines + 1 lines, in bytes */
	uint8_t *comment; /* owned; by line from 0: one is open before it */
	uint32_t lines;
	char path[SOURCE_PATH_BYTES]; /* where it is; "": nowhere */
	int64_t changed_real_ns;      /* since 1970 */
};

/*
 * Reads what the log calls file: there, else by what it ends with below one of
 * the directories of dirs, which has ':' between them; a relative one from the
 * working directory, too.  NULL, or in a word why there is nothing: static
 * text, *at (of SOURCE_PATH_BYTES) is then where something was that cannot be
 * taken, or "".
 */
const char *source_text_find(struct source_text *, const char *file,
    const char *dirs, char *at);
void source_text_clear(struct source_text *);
/* Line from 1 on; not ended by 0. */
const char *source_text_line(const struct source_text *, uint32_t line,
    size_t *n);

#endif
