/* A validator of two nodes, and what it says. */
#ifndef TESTS_PROTO_VALIDATE_H
#define TESTS_PROTO_VALIDATE_H

#include "tests/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/validate.h"
#include "clockmap.h"

/* What the validator has said. */
struct heard {
	unsigned n;
	enum violation_kind last;
	char text[600];
};

static inline void
hear(void *arg, const struct violation *x)
{
	struct heard *h = arg;

	h->n++;
	h->last = x->kind;
	snprintf(h->text, sizeof(h->text), "%s", x->text);
}

static inline void
define(struct validate *v, enum msg_type type, const void *msg)
{
	struct frame f;
	size_t n;
	uint8_t *p = frame_message(type, msg, &n);

	assert_int_equal(frame_parse(p, n, &f), FRAME_OK);
	assert_int_equal(validate_definition(v, &f), 0);
	free(p);
}

/* Locations 1 to 4 on nodes 1 and 2, whose clocks are right. */
static inline struct validate *
begin(struct heard *h)
{
	struct validate *v = validate_new(hear, h);

	memset(h, 0, sizeof(*h));
	for (uint32_t i = 1; i <= 4; i++) {
		struct msg_thread th = { .location = i,
			.node = 1 + i / 3,
			.po = 1,
			.thread = i };

		define(v, MSG_thread, &th);
	}
	for (uint32_t i = 1; i <= 2; i++) {
		struct msg_node n = { .node = i, .name = BYTES_STR("n") };

		define(v, MSG_node, &n);
	}
	for (uint32_t i = 1; i <= 2; i++) {
		struct msg_segment s = { .node = i, .state = CLOCK_LOCKED };

		define(v, MSG_segment, &s);
	}
	return (v);
}

#endif
