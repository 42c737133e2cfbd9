/*
 * What monitorctl can ask.  Each verb is a row; an answer is one or more
 * pieces of text, the last of which carries an exit code.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "inside.h"
#include "log.h"

struct control {
	TAILQ_ENTRY(control) entry;
	struct monitord_core *core;
	struct guest *guest;
	uint64_t chosen; /* this change is waited for; 0: none */
	bool waits; /* for the end of the run; asked again, it waits as well */
};

static int control_status(struct control *, struct bytes);
static int control_shutdown(struct control *, struct bytes);
static int control_probe(struct control *, struct bytes);

static const struct {
	const char *verb;
	int (*serve)(struct control *, struct bytes arguments);
} verbs[] = {
	{ "status", control_status },
	{ "shutdown", control_shutdown },
	{ "probe", control_probe },
};
#define NVERBS (sizeof(verbs) / sizeof(verbs[0]))

static void
control_reply(struct control *ctl, int code, bool more, const char *text)
{
	struct msg_reply m = { .code = (uint16_t)code, .more = more };
	size_t left = strlen(text), n;

	/* a string of a message has its limit */
	for (;; text += n, left -= n) {
		n = left < PROTO_STR_MAX ? left : PROTO_STR_MAX;
		m.text = (struct bytes){ text, n };
		m.more = more || n < left;
		guest_send(ctl->guest, MSG_reply, &m);
		if (n == left)
			break;
	}
}

void
control_tell(struct monitord_core *c, int code, bool more, const char *text)
{
	struct control *ctl;

	TAILQ_FOREACH (ctl, &c->controls, entry) {
		if (!ctl->waits)
			continue;
		control_reply(ctl, code, more, text);
		ctl->waits = more;
	}
}

static int
control_status(struct control *ctl, struct bytes arguments)
{
	char *text = status_text(ctl->core);

	(void)arguments;
	control_reply(ctl, text != NULL ? EX_OK : EX_OSERR, false,
	    text != NULL ? text : "monitord is out of memory\n");
	free(text);
	return (0);
}

static int
control_shutdown(struct control *ctl, struct bytes arguments)
{
	(void)arguments;
	ctl->waits = true;
	finish_start(ctl->core);
	return (0);
}

/* What is recorded now. */
static void
reply_choice(struct control *ctl)
{
	char *text = choice_text(ctl->core);

	control_reply(ctl, text != NULL ? EX_OK : EX_OSERR, false,
	    text != NULL ? text : "monitord is out of memory\n");
	free(text);
}

void
control_chosen(struct monitord_core *c)
{
	struct control *ctl;

	TAILQ_FOREACH (ctl, &c->controls, entry) {
		if (ctl->chosen == 0 || !choice_in_force(c, ctl->chosen))
			continue;
		ctl->chosen = 0;
		reply_choice(ctl);
	}
}

static int
control_probe(struct control *ctl, struct bytes arguments)
{
	char text[600];
	const char *why;
	int code;

	if (arguments.n == 0) {
		reply_choice(ctl);
		return (0);
	}
	code = choice_change(ctl->core, arguments, &why);
	if (code != EX_OK) {
		snprintf(text, sizeof(text), "%s\n", why);
		control_reply(ctl, code, false, text);
		return (0);
	}
	ctl->chosen = choice_number(ctl->core);
	control_chosen(ctl->core);
	return (0);
}

static int
control_message(void *arg, unsigned type, const void *msg,
    const struct frame *f, int64_t at_ns)
{
	struct control *ctl = arg;
	const struct msg_request *m = msg;

	(void)f;
	(void)at_ns;
	if (type != MSG_request) {
		log_warnx("%s: unexpected %s; closing",
		    peer_what(guest_peer(ctl->guest)), msg_name(type));
		return (-1);
	}
	for (size_t i = 0; i < NVERBS; i++)
		if (strlen(verbs[i].verb) == m->verb.n &&
		    memcmp(verbs[i].verb, m->verb.p, m->verb.n) == 0)
			return (verbs[i].serve(ctl, m->arguments));
	control_reply(ctl, EX_USAGE, false,
	    "monitord knows no such request; it knows status, shutdown and "
	    "probe\n");
	return (0);
}

static void
control_closed(void *arg, const char *why)
{
	struct control *ctl = arg;

	(void)why;
	TAILQ_REMOVE(&ctl->core->controls, ctl, entry);
	free(ctl);
}

static const struct guest_role control_role = {
	.message = control_message,
	.closed = control_closed,
};

int
control_hello(struct monitord_core *c, struct guest *g,
    const struct msg_hello *m)
{
	struct control *ctl = calloc(1, sizeof(*ctl));

	(void)m;
	if (ctl == NULL)
		return (guest_refuse(g, EX_OSERR, "monitord is out of memory"));
	ctl->core = c;
	ctl->guest = g;
	TAILQ_INSERT_TAIL(&c->controls, ctl, entry);
	guest_become(g, &control_role, ctl);
	guest_welcome(g, 0, 0);
	return (0);
}

void
control_free_all(struct monitord_core *c)
{
	struct control *ctl;

	while ((ctl = TAILQ_FIRST(&c->controls)) != NULL) {
		TAILQ_REMOVE(&c->controls, ctl, entry);
		free(ctl); /* its guest is closed with the others */
	}
}
