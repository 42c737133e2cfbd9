/*
 * Frames: a head of 16 bytes, then a body.
 *
 * The checksum covers everything but itself, so a flipped bit anywhere in a
 * frame is seen.  A length is believed only after it has been compared with
 * FRAME_BODY_MAX; it says how much to wait for, never how much to allocate.
 * The head has a small checksum of its own, since on a connection a wrong
 * length would be waited for, maybe for ever, before the large one is seen to
 * be wrong.
 */
#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crc.h"
#include "wire.h"

static uint32_t
checksum(const uint8_t *head, const uint8_t *body, size_t n)
{
	return (crc_add(crc_add(0, head, 12), body, n));
}

/* Of magic, length and type; never 0. */
static uint16_t
head_check(const uint8_t *head)
{
	uint32_t crc = crc_add(0, head, 10);
	uint16_t check = (uint16_t)(crc ^ crc >> 16);

	return (check != 0 ? check : 1);
}

enum frame_status
frame_parse(const void *buf, size_t n, struct frame *f)
{
	const uint8_t *p = buf;
	static const uint8_t magic[4] = { 'O', 'r', 'y', '1' };
	uint16_t check;

	memset(f, 0, sizeof(*f));
	if (n > 0 && memcmp(p, magic, n < 4 ? n : 4) != 0)
		return (FRAME_MAGIC_BAD);
	if (n < FRAME_HEAD_BYTES)
		return (FRAME_SHORT);
	check = get_u16(p + 10); /* 0 in logs of before 0.1.0 */
	if (check != 0 && check != head_check(p))
		return (FRAME_CHECKSUM_BAD);
	f->body_bytes = get_u32(p + 4);
	if (f->body_bytes > FRAME_BODY_MAX)
		return (FRAME_TOO_LONG);
	f->frame_bytes = FRAME_HEAD_BYTES + f->body_bytes;
	f->type = get_u16(p + 8);
	f->body = p + FRAME_HEAD_BYTES;
	if (n < f->frame_bytes)
		return (FRAME_SHORT);
	if (checksum(p, f->body, f->body_bytes) != get_u32(p + 12))
		return (FRAME_CHECKSUM_BAD);
	return (FRAME_OK);
}

const char *
frame_strstatus(enum frame_status s)
{
	static const char *const text[] = {
		[FRAME_OK] = "good",
		[FRAME_SHORT] = "frame is cut",
		[FRAME_MAGIC_BAD] = "no frame of ours (wrong magic)",
		[FRAME_TOO_LONG] = "frame is longer than any may be",
		[FRAME_CHECKSUM_BAD] = "frame is damaged (wrong checksum)",
	};

	return (text[s]);
}

int
frame_decode(const struct frame *f, enum msg_type type, void *msg)
{
	if (f->type != type)
		return (-1);
	return (msg_decode(type, f->body, f->body_bytes, msg));
}

size_t
frame_seal(void *buf, unsigned type, size_t body_bytes)
{
	uint8_t *p = buf;

	put_u32(p, FRAME_MAGIC);
	put_u32(p + 4, (uint32_t)body_bytes);
	put_u16(p + 8, (uint16_t)type);
	put_u16(p + 10, head_check(p));
	put_u32(p + 12, checksum(p, p + FRAME_HEAD_BYTES, body_bytes));
	return (FRAME_HEAD_BYTES + body_bytes);
}

/* Length of the body, or -1 with errno set. */
static int
body_size(enum msg_type type, const void *msg, size_t *n)
{
	*n = msg_size(type, msg);
	if (*n > FRAME_BODY_MAX) {
		errno = EMSGSIZE;
		return (-1);
	}
	return (0);
}

uint8_t *
frame_message(enum msg_type type, const void *msg, size_t *frame_bytes)
{
	uint8_t *p;
	size_t n;

	if (body_size(type, msg, &n) == -1)
		return (NULL);
	p = malloc(FRAME_HEAD_BYTES + n);
	if (p == NULL)
		return (NULL);
	msg_encode(type, msg, p + FRAME_HEAD_BYTES);
	*frame_bytes = frame_seal(p, type, n);
	return (p);
}

int
frame_append(struct buf *b, enum msg_type type, const void *msg)
{
	size_t n;

	if (body_size(type, msg, &n) == -1 ||
	    buf_reserve(b, FRAME_HEAD_BYTES + n) == -1)
		return (-1);
	msg_encode(type, msg, b->p + b->n + FRAME_HEAD_BYTES);
	b->n += frame_seal(b->p + b->n, type, n);
	return (0);
}

size_t
frame_resync(const void *buf, size_t n, size_t from)
{
	const uint8_t *start = buf, *end = start + n, *p;

	for (p = start + from; from < n; p++) {
		p = memchr(p, 'O', (size_t)(end - p));
		if (p == NULL)
			break;
		if (memcmp(p, "Ory1", end - p < 4 ? (size_t)(end - p) : 4) == 0)
			return ((size_t)(p - start));
		if (p + 1 == end)
			break;
	}
	return (n);
}

int
buf_reserve(struct buf *b, size_t more)
{
	size_t cap = b->cap;
	uint8_t *p;

	if (more <= cap - b->n)
		return (0);
	if (more > SIZE_MAX / 2 - b->n) {
		errno = ENOMEM;
		return (-1);
	}
	if (cap < 256)
		cap = 256;
	while (cap < b->n + more)
		cap += cap / 2;
	p = realloc(b->p, cap);
	if (p == NULL)
		return (-1);
	b->p = p;
	b->cap = cap;
	return (0);
}

int
buf_add(struct buf *b, const void *p, size_t n)
{
	if (buf_reserve(b, n) == -1)
		return (-1);
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	return (0);
}

void
buf_free(struct buf *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}
