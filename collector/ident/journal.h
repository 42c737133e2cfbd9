/*
 * A file of whole frames that is only appended to.  What a crash has torn is
 * cut off when it is opened.
 */
#ifndef COLLECTOR_JOURNAL_H
#define COLLECTOR_JOURNAL_H

#include "env.h"
#include "frame.h"

struct journal {
	struct env *env;
	struct env_file *file;
	uint64_t bytes; /* of whole frames */
};

/*
 * Opens or makes it and shows each frame to each(), which returns non-zero to
 * have the file cut before that frame.  Returns 0, or -1 with errno set.
 */
int journal_open(struct journal *, struct env *, const char *path,
    int (*each)(void *arg, const struct frame *, uint64_t offset), void *arg);
void journal_close(struct journal *);
/*
 * Appends whole frames.  -1 with errno set: nothing counts as written and
 * the same place is written again next time.
 */
int journal_append(struct journal *, const void *, size_t);
/* Reads n bytes at offset; -1 with errno set, EIO when it is short. */
int journal_read(struct journal *, void *, size_t n, uint64_t offset);

#endif
