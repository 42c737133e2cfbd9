/* What spool*.c share; nobody else includes this. */
#ifndef COLLECTOR_SPOOL_INSIDE_H
#define COLLECTOR_SPOOL_INSIDE_H

#include "collector/ident/journal.h"
#include "spool.h"

#define PATH_BYTES 1024

struct spool_file {
	uint64_t first;  /* number of its first batch */
	uint32_t count;  /* batches in it */
	uint32_t *bytes; /* length of each */
	uint32_t cap;
	struct journal journal;
	/* place of the batch that was read last */
	uint32_t at;
	uint64_t at_offset;
};

struct spool {
	struct env *env;
	char dir[PATH_BYTES];
	struct env_file *lock;
	uint64_t limit, file_bytes;
	uint64_t first;           /* oldest not acknowledged */
	uint64_t waiting;         /* bytes not acknowledged */
	uint64_t total;           /* bytes in all files */
	struct spool_file *files; /* oldest first, at least one */
	size_t nfiles;
	uint64_t epoch;
	uint64_t machine; /* a hash of whose identity; since which start */
	uint64_t since;
	uint64_t acked; /* as the state file has it: at the last clean end */
	uint32_t node;
	struct uuid run;
};

/* spool_files.c: buf has PATH_BYTES. */
void spool_path(const struct spool *, char *buf, const char *name);
/* The number behind its last batch. */
uint64_t spool_file_next(const struct spool_file *);
struct spool_file *spool_newest(const struct spool *);
/* One more batch of this length.  -1: ENOMEM. */
int spool_file_count(struct spool_file *, size_t bytes);
/* Opens it, made if need be, and counts what it holds.  -1: errno. */
int spool_add_file(struct spool *, uint64_t first);
void spool_drop_oldest(struct spool *);
int spool_scan(struct spool *);

/* spool_state.c: -1 with errno. */
int spool_state_write(struct spool *);
int spool_state_read(struct spool *);
/* One start more, on this machine. */
void spool_state_start(struct spool *);

#endif
