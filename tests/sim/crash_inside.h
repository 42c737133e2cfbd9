/* What crash_disk.c and crash_redo.c know of each other. */
#ifndef TESTS_SIM_CRASH_INSIDE_H
#define TESTS_SIM_CRASH_INSIDE_H

#include <stdint.h>
#include <stdlib.h>

#include "tests/sim/crash_disk.h"

#define NEVER SIZE_MAX

enum op_kind {
	OP_WRITE,
	OP_TRUNCATE,
	OP_SYNC,
	OP_LINK, /* a name for the file; from: the name that it had, or NULL */
	OP_UNLINK,
	OP_SYNC_DIR,
};

struct op {
	enum op_kind kind;
	size_t file;
	uint64_t offset;
	unsigned char *data;
	size_t n;
	char *path, *from;
	size_t lasts;   /* number of the sync that made it last, or NEVER */
	bool forgotten; /* a sync has failed: no later one covers it */
};

struct file {
	unsigned char *p;
	size_t n, cap;
};

struct name {
	char *path;
	size_t file;
};

struct env_file {
	struct crash_disk *disk;
	size_t file;
};

struct crash_disk {
	struct env env;
	struct chance chance;
	unsigned trouble;
	struct op *ops;
	size_t nops, ops_cap;
	struct file *files;
	size_t nfiles;
	struct name *names;
	size_t nnames;
};

/* What was allocated, or the end. */
static inline void *
need(void *p)
{
	if (p == NULL)
		abort();
	return (p);
}

/* --- the state: what is done to it, recorded or not --- */

size_t crash_file_new(struct crash_disk *);
/* p NULL: zeros where it grows. */
void crash_file_write(struct file *, const void *p, size_t n, uint64_t offset);
void crash_file_truncate(struct file *, uint64_t n);
struct name *crash_name_find(const struct crash_disk *, const char *path);
void crash_name_set(struct crash_disk *, const char *path, size_t file);
void crash_name_remove(struct crash_disk *, const char *path);

/* --- the record --- */

struct op *crash_op_add(struct crash_disk *, enum op_kind, size_t file);

#endif
