/*
 * Where an exporter writes: a buffer before a file or a pipe, and how numbers,
 * times and texts are spelt.  What fails is kept until somebody asks.
 */
#ifndef TOOLS_EXPORT_OUT_H
#define TOOLS_EXPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OUT_BYTES ((size_t)256 << 10)
#define OUT_ROOM  256 /* the most that out_room can be asked for */

struct out {
	uint8_t *p;
	size_t n;
	int fd;
	int error; /* errno of what failed first; 0: nothing has */
};

/* -1: ENOMEM.  The descriptor is borrowed. */
int out_open(struct out *, int fd);
/* -1 with errno: this, or something before, has failed. */
int out_flush(struct out *);
void out_close(struct out *); /* what is not flushed is gone */

void out_bytes(struct out *, const void *, size_t);
/* "text", with escapes; what is not UTF-8 is as plain.h has it. */
void out_json(struct out *, const char *);
/* In quotes that are doubled within. */
void out_csv(struct out *, const char *);

/* So many bytes can be written at what this returns. */
static inline uint8_t *
out_room(struct out *o, size_t n)
{
	if (OUT_BYTES - o->n < n)
		(void)out_flush(o);
	return (o->p + o->n);
}

static inline void
out_str(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

static inline void
out_char(struct out *o, char c)
{
	*out_room(o, 1) = (uint8_t)c;
	o->n++;
}

void out_u64(struct out *, uint64_t);
void out_i64(struct out *, int64_t);
void out_hex(struct out *, uint64_t); /* 0x1f */
/* ns with the point so many places from the right: 3 for us, 9 for seconds. */
void out_ns(struct out *, int64_t ns, unsigned places);
/* The bits of a double; what is no number becomes `otherwise`. */
void out_real(struct out *, uint64_t bits, const char *otherwise);

#endif
