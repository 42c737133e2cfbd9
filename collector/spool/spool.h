/*
 * Batches on disk until monitord has them on its own.
 *
 * A directory of numbered files, each a row of `batch` frames with
 * consecutive numbers; the name of a file is the number of its first batch.
 * The newest file always stays, so that the next number is known even when
 * everything has been acknowledged: no number is ever given twice.
 *
 * Nothing is synced: what the spool is to survive is the death of processes,
 * and the programs that made the events die with the machine anyway.
 */
#ifndef COLLECTOR_SPOOL_H
#define COLLECTOR_SPOOL_H

#include "env.h"
#include "frame.h"

struct spool;

/* Frames up to this size always fit into an empty spool. */
#define SPOOL_LIMIT_MIN (UINT64_C(16) << 20)

/*
 * Opens or makes the directory, cuts torn ends, counts this start.  NULL with
 * errno set; EWOULDBLOCK: another process works in it.
 */
struct spool *spool_open(struct env *, const char *dir, uint64_t limit_bytes);
void spool_close(struct spool *); /* NULL is fine */

/*
 * Appends a sealed `batch` frame whose number must be spool_next().  -1 with
 * errno set, ENOSPC when the limit is reached; then nothing has changed.
 */
int spool_append(struct spool *, const void *frame, size_t n);
/*
 * Reads batch `number` as a whole frame.  -1 with ENOENT when it is not
 * there, EIO when it cannot be read.  Cheap when asked in order.
 */
int spool_read(struct spool *, uint64_t number, struct buf *out);
/* Everything up to `number` may be forgotten. */
void spool_ack(struct spool *, uint64_t number);

uint64_t spool_next(const struct spool *);  /* number of the next batch */
uint64_t spool_first(const struct spool *); /* oldest not acknowledged */
uint64_t spool_bytes(const struct spool *); /* not acknowledged */
uint64_t spool_limit_bytes(const struct spool *);
uint64_t spool_epoch(const struct spool *); /* counts the starts */
/* The first of them on this machine, since it was booted. */
uint64_t spool_since(const struct spool *);
const char *spool_dir(const struct spool *);

/* What has to be remembered about monitord; kept with the epoch. */
uint32_t spool_node(const struct spool *);
struct uuid spool_run(const struct spool *);
int spool_remember(struct spool *, uint32_t node, const struct uuid *run);

#endif
