/*
 * Reading a log back, one frame after another, from a disk that may err.
 *
 * Small frames are read through a window.  What makes no sense, or ends too
 * early, is read again until it has been the same several times.
 */
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "store_inside.h"

#define WINDOW_BYTES ((size_t)32 << 10)
#define READ_TRIES   16
#define READ_ALIKE   3 /* times in turn, before it is believed */

ssize_t
store_read_near(struct store *st, void *p, size_t n, uint64_t offset)
{
	struct buf *w = &st->window;
	ssize_t got;

	if (n > WINDOW_BYTES || (w->cap == 0 && buf_reserve(w, WINDOW_BYTES)))
		return (st->env->ops->read_at(st->file, p, n, offset));
	if (offset < st->window_at || offset + n > st->window_at + w->n) {
		got =
		    st->env->ops->read_at(st->file, w->p, WINDOW_BYTES, offset);
		w->n = got > 0 ? (size_t)got : 0;
		st->window_at = offset;
		if (got <= 0)
			return (got);
		if (n > w->n)
			n = w->n;
	}
	memcpy(p, w->p + (offset - st->window_at), n);
	return ((ssize_t)n);
}

/* Once.  b->n is how much was read; b->p holds it. */
static int
frame_at(struct store *st, uint64_t offset, struct buf *b, struct frame *f)
{
	enum frame_status s;
	size_t want;
	ssize_t n;

	*f = (struct frame){ 0 };
	if (buf_reserve(b, STORE_CHUNK_BYTES) == -1)
		return (-1);
	b->n = 0;
	errno = 0;
	want = FRAME_HEAD_BYTES + 1024;
	for (;;) {
		n = store_read_near(st, b->p, want, offset);
		b->n = n > 0 ? (size_t)n : 0;
		if (n <= 0)
			return (n == 0 ? 0 : -1);
		s = frame_parse(b->p, (size_t)n, f);
		if (s == FRAME_OK)
			return (1);
		if (s != FRAME_SHORT) {
			errno = EINVAL;
			return (-1);
		}
		if ((size_t)n < want || f->frame_bytes <= want)
			return (0); /* the file ends here */
		want = f->frame_bytes;
		if (buf_reserve(b, want) == -1)
			return (-1);
	}
}

/*
 * A disk that errs for a moment must not cost what follows: what makes no
 * sense is taken for the end only when it reads the same again and again.
 */
int
store_frame_at(struct store *st, uint64_t offset, struct buf *b,
    struct frame *f)
{
	uLong crc = 0, was;
	int got = -1, alike = 0;

	for (int i = 0; i < READ_TRIES; i++) {
		got = frame_at(st, offset, b, f);
		if (got == 1 || (got == -1 && errno == ENOMEM))
			return (got);
		st->window.n = 0; /* read anew */
		if (got == -1 && errno != EINVAL)
			continue;
		was = crc;
		crc = crc32(0, b->p, (uInt)b->n);
		alike = alike > 0 && crc == was ? alike + 1 : 1;
		if (alike == READ_ALIKE)
			return (got);
	}
	if (got == 0 || errno == EINVAL)
		errno = EIO;
	return (-1);
}
