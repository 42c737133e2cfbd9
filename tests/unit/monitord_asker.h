/* A control tool that asks one thing of monitord_fake.h's core. */
#ifndef TESTS_MONITORD_ASKER_H
#define TESTS_MONITORD_ASKER_H

#include "tests/unit/monitord_fake.h"

struct asker {
	struct peer *peer;
	const char *verb;
	char text[65536];
	size_t n;
	int code; /* -1: no last piece yet */
};

static inline int
asker_message(void *arg, unsigned type, const void *msg, const struct frame *fr,
    int64_t at_ns)
{
	struct asker *a = arg;
	const struct msg_reply *m = msg;

	(void)fr;
	(void)at_ns;
	if (type != MSG_reply)
		return (0);
	if (a->n + m->text.n < sizeof(a->text)) {
		memcpy(a->text + a->n, m->text.p, m->text.n);
		a->n += m->text.n;
		a->text[a->n] = '\0';
	}
	if (!m->more)
		a->code = m->code;
	return (0);
}

static inline void
asker_connected(void *arg)
{
	struct asker *a = arg;
	struct msg_hello h = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_CONTROL,
		.name = BYTES_STR("test") };
	struct msg_request r = { .verb = BYTES_STR(a->verb) };

	peer_send(a->peer, MSG_hello, &h);
	peer_send(a->peer, MSG_request, &r);
}

static inline void
asker_closed(void *arg, const char *why)
{
	struct asker *a = arg;

	(void)why;
	a->peer = NULL;
}

static inline void
asker_open(struct asker *a, struct world *w, const char *verb)
{
	static const struct peer_ops ops = { .message = asker_message,
		.connected = asker_connected,
		.closed = asker_closed };

	memset(a, 0, sizeof(*a));
	a->verb = verb;
	a->code = -1;
	a->peer = peer_connect(w->env, w->address, "control", &ops, a);
	assert_non_null(a->peer);
}

#endif
