/*
 * Fuzzes what strangers send to the attach port: any bytes give a request
 * whose strings lie inside them, a wish for more, or a sentence.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/ident/text.h"
#include "collector/shell/attach/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
check_inside(const uint8_t *data, size_t n, struct bytes b)
{
	const uint8_t *p = b.p;

	if (b.n > 0 && (p < data || p + b.n > data + n))
		abort();
}

static void
try_bytes(const uint8_t *data, size_t n)
{
	struct request rq;
	const char *why;
	char text[64];
	ssize_t used = request_parse(data, n, &rq, &why);

	if (used < -1 || (used > 0 && (size_t)used > n) ||
	    (used == -1) != (why != NULL))
		abort();
	if (used <= 0 || rq.type != MSG_attach)
		return;
	check_inside(data, n, rq.m.attach.program);
	check_inside(data, n, rq.m.attach.command);
	text_copy(text, sizeof(text), rq.m.attach.command.p,
	    rq.m.attach.command.n);
}

/* As they are, and as the body of a frame that is right. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t *framed;

	try_bytes(data, n);
	if (n == 0 || n > REQUEST_BYTES_MAX)
		return (0);
	framed = malloc(n + FRAME_HEAD_BYTES);
	memcpy(framed + FRAME_HEAD_BYTES, data, n);
	frame_seal(framed, n % 2 == 0 ? MSG_attach : MSG_query, n);
	try_bytes(framed, n + FRAME_HEAD_BYTES);
	free(framed);
	return (0);
}
