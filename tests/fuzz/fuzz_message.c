/*
 * Fuzzes frames and messages: whatever is taken must encode to what decodes to
 * the same bytes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "log/tracefile.h"
#include "tests/any_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
try_message(unsigned type, const uint8_t *p, size_t n)
{
	union any_message m, again;
	uint8_t *one, *two;
	size_t bytes;

	if (msg_decode(type, p, n, &m) == -1)
		return;
	bytes = msg_size(type, &m);
	if (bytes == MSG_SIZE_BAD)
		abort(); /* it was decoded, so it can be encoded */
	one = malloc(bytes + 1);
	two = malloc(bytes + 1);
	if (msg_encode(type, &m, one) != bytes ||
	    msg_decode(type, one, bytes, &again) == -1 ||
	    msg_encode(type, &again, two) != bytes ||
	    memcmp(one, two, bytes) != 0)
		abort();
	free(one);
	free(two);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct defs *d;
	struct frame f;
	uint8_t *framed;

	if (n == 0)
		return (0);
	d = defs_new();
	(void)frame_parse(data, n, &f);
	(void)frame_resync(data, n, 0);
	try_message(data[0], data + 1, n - 1);
	/* the same as a good frame */
	framed = malloc(FRAME_HEAD_BYTES + n);
	memcpy(framed + FRAME_HEAD_BYTES, data + 1, n - 1);
	frame_seal(framed, data[0], n - 1);
	if (frame_parse(framed, FRAME_HEAD_BYTES + n - 1, &f) != FRAME_OK)
		abort();
	(void)defs_add(d, &f);
	free(framed);
	defs_free(d);
	return (0);
}
