/*
 * The three messages that libprobe speaks, in the format of proto/frame.h and
 * proto/messages.def, without the libraries that those need.  A unit test
 * holds them against proto.
 */
#ifndef LIBPROBE_HAIL_H
#define LIBPROBE_HAIL_H

#include <stddef.h>
#include <stdint.h>

#define HAIL_TEXT_MAX  1024 /* of each string */
#define HAIL_BYTES_MAX (16 + 33 + 2 * (2 + HAIL_TEXT_MAX))
#define HAIL_NODE_MAX  64 /* of a node's name, with its NUL */

/* zlib's CRC-32 of n bytes that follow those that gave crc (0: none). */
uint32_t hail_crc32(uint32_t crc, const void *, size_t n);

struct hail_attach {
	uint32_t layout, parent_po;
	uint8_t clock;
	const char *program, *command; /* cut to HAIL_TEXT_MAX */
	uint64_t unrecorded;
	uint32_t names_po, names;
	int64_t names_t_node_ns;
};

/* Whole frames into buf of HAIL_BYTES_MAX.  They return their length. */
size_t hail_attach(void *buf, const struct hail_attach *);
size_t hail_unheard(void *buf, uint64_t unrecorded, const char *program);

struct hail_attached {
	uint32_t node, po;
	char node_name[HAIL_NODE_MAX]; /* cut if longer */
	int64_t t_node_ns;
	uint32_t names;
};

enum hail_status {
	HAIL_OK,
	HAIL_SHORT,
	HAIL_BAD
};

/* Reads an `attached` frame; HAIL_SHORT: more is needed. */
enum hail_status hail_read(const void *buf, size_t n, struct hail_attached *);

#endif
