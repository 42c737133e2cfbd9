/*
 * The frame around every message, on every wire and in every file:
 *
 *	u32 magic   u32 length of the body   u16 type   u16 check   u32 crc32
 *
 * little endian; the checksum is CRC-32 (zlib's) of the first 12 bytes and
 * the body.  The magic lets a reader find the next frame after damage.  check
 * is CRC-32 of the first 10 bytes, both halves xored, 1 instead of 0; 0 is not
 * checked (the first logs have it).
 */
#ifndef PROTO_FRAME_H
#define PROTO_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"

#define FRAME_MAGIC      0x3179724fu /* "Ory1" */
#define FRAME_HEAD_BYTES 16
#define FRAME_BODY_MAX   (8u << 20)

struct frame {
	unsigned type;
	const uint8_t *body; /* borrowed from the buffer that was parsed */
	size_t body_bytes;
	size_t frame_bytes; /* head and body */
};

enum frame_status {
	FRAME_OK,
	FRAME_SHORT, /* not all there yet; frame_bytes says how many if known */
	FRAME_MAGIC_BAD,
	FRAME_TOO_LONG,
	FRAME_CHECKSUM_BAD,
};

/* Parses the frame at the start of buf. */
enum frame_status frame_parse(const void *buf, size_t n, struct frame *);
const char *frame_strstatus(enum frame_status);
/*
 * Decodes a frame that has to be of this type, into the struct of this type.
 * -1: it is of another, or damaged.
 */
int frame_decode(const struct frame *, enum msg_type, void *msg);

/*
 * Seals a frame whose body of body_bytes is already at buf + FRAME_HEAD_BYTES.
 * Returns the length of the whole frame.
 */
size_t frame_seal(void *buf, unsigned type, size_t body_bytes);

/*
 * Encodes a whole message into a fresh buffer that the caller frees.  Returns
 * NULL with errno ENOMEM, or EMSGSIZE: longer than a frame or a str may be, or
 * a NUL in a str.
 */
uint8_t *frame_message(enum msg_type, const void *msg, size_t *frame_bytes);

/*
 * Offset of the next possible frame at or after `from`, or n.  The beginning
 * of a magic at the very end of buf counts as possible.
 */
size_t frame_resync(const void *buf, size_t n, size_t from);

/* A buffer that grows; all zero is empty. */
struct buf {
	uint8_t *p;
	size_t n, cap;
};
int buf_reserve(struct buf *, size_t more); /* -1: ENOMEM */
int buf_add(struct buf *, const void *, size_t);
void buf_free(struct buf *);
/* Appends a framed message.  Returns 0, or -1 with errno set. */
int frame_append(struct buf *, enum msg_type, const void *msg);

#endif
