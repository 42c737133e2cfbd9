/*
 * attach, attached and unheard, by hand.
 */
#include "hail.h"

#include <string.h>

#include "wire.h"

#define MAGIC        0x3179724fu
#define HEAD         16
#define BODY_MAX     4096
#define MSG_ATTACH   70
#define MSG_ATTACHED 71
#define MSG_UNHEARD  76

uint32_t
hail_crc32(uint32_t crc, const void *data, size_t n)
{
	const uint8_t *p = data;

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
	}
	return (~crc);
}

static uint8_t *
put_text(uint8_t *p, const char *text)
{
	size_t n = strnlen(text, HAIL_TEXT_MAX);

	put_u16(p, (uint16_t)n);
	memcpy(p + 2, text, n);
	return (p + 2 + n);
}

/* The frame of what has been put between its head and end. */
static size_t
put_head(uint8_t *head, uint16_t type, const uint8_t *end)
{
	size_t body = (size_t)(end - head) - HEAD;

	put_u32(head, MAGIC);
	put_u32(head + 4, (uint32_t)body);
	put_u16(head + 8, type);
	put_u16(head + 10, 0);
	put_u32(head + 12,
	    hail_crc32(hail_crc32(0, head, 12), head + HEAD, body));
	return (HEAD + body);
}

size_t
hail_attach(void *buf, const struct hail_attach *m)
{
	uint8_t *head = buf, *p = head + HEAD;

	put_u32(p, m->layout);
	put_u32(p + 4, m->parent_po);
	p[8] = m->clock;
	p = put_text(p + 9, m->program);
	p = put_text(p, m->command);
	put_u64(p, m->unrecorded);
	put_u32(p + 8, m->names_po);
	put_u64(p + 12, (uint64_t)m->names_t_node_ns);
	put_u32(p + 20, m->names);
	return (put_head(head, MSG_ATTACH, p + 24));
}

size_t
hail_unheard(void *buf, uint64_t unrecorded, const char *program)
{
	uint8_t *head = buf, *p = head + HEAD;

	put_u64(p, unrecorded);
	return (put_head(head, MSG_UNHEARD, put_text(p + 8, program)));
}

enum hail_status
hail_read(const void *buf, size_t n, struct hail_attached *out)
{
	const uint8_t *head = buf, *body = head + HEAD;
	size_t body_bytes, name_bytes;

	if (n < HEAD)
		return (HAIL_SHORT);
	body_bytes = get_u32(head + 4);
	if (get_u32(head) != MAGIC || get_u16(head + 8) != MSG_ATTACHED ||
	    body_bytes < 8 || body_bytes > BODY_MAX)
		return (HAIL_BAD);
	if (n < HEAD + body_bytes)
		return (HAIL_SHORT);
	if (hail_crc32(hail_crc32(0, head, 12), body, body_bytes) !=
	    get_u32(head + 12))
		return (HAIL_BAD);
	memset(out, 0, sizeof(*out));
	out->node = get_u32(body);
	out->po = get_u32(body + 4);
	if (body_bytes < 10)
		return (HAIL_OK);
	name_bytes = get_u16(body + 8);
	if (name_bytes > body_bytes - 10)
		return (HAIL_BAD);
	if (body_bytes >= 10 + name_bytes + 12) {
		out->t_node_ns = (int64_t)get_u64(body + 10 + name_bytes);
		out->names = get_u32(body + 18 + name_bytes);
	}
	if (name_bytes >= HAIL_NODE_MAX)
		name_bytes = HAIL_NODE_MAX - 1;
	memcpy(out->node_name, body + 10, name_bytes);
	return (HAIL_OK);
}
