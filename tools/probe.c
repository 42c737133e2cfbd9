/*
 * monitorctl probe: says, or asks monitord to change, what is recorded.
 *
 * Its rules begin with + and -, so the command line is not getopt's:
 * proto/choice_line.c reads it, but for what is only about the answer.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "choice.h"
#include "log.h"
#include "monitorctl.h"
#include "plain.h"
#include "tools/ask/ask.h"
#include "tools/doc/yaml.h"
#include "tools/doc/yaml_json.h"

#define SHOWN_BYTES 200

static int
put_answer(const struct buf *text, int code, bool json)
{
	struct yaml y;

	if (code != EX_OK) {
		log_warnx("%.*s", (int)(text->n > 0 ? text->n - 1 : 0),
		    (const char *)text->p);
		return (code);
	}
	if (!json) {
		plain_print(stdout, text->p, text->n);
		return (code);
	}
	if (yaml_parse(&y, (const char *)text->p, text->n) == -1) {
		log_warn("answer");
		return (EX_OSERR);
	}
	yaml_json(stdout, &y);
	yaml_clear(&y);
	return (code);
}

static int
ask(const struct globals *g, struct bytes arguments, bool json)
{
	struct msg_request request = { .verb = BYTES_STR("probe"),
		.arguments = arguments };
	struct msg_reply reply = { .more = 1 };
	struct buf text = { 0 };
	struct ask a;
	int code;

	if (ask_monitord(&a, g->socket) == -1)
		return (a.code);
	code = ask_send(&a, MSG_request, &request) == -1 ? a.code : EX_OK;
	while (code == EX_OK && reply.more) {
		if (ask_receive(&a, MSG_reply, &reply, ASK_TIMEOUT_MS) == -1 ||
		    buf_add(&text, reply.text.p, reply.text.n) == -1)
			code = a.code;
	}
	if (code == EX_OK)
		code = put_answer(&text, reply.code, json);
	buf_free(&text);
	ask_close(&a);
	return (code);
}

/* What is about the answer is taken out.  -1: go on; else the exit code. */
static int
take_own(char **v, bool *json)
{
	char **to = v;

	for (; *v != NULL; v++) {
		if (strcmp(*v, "--help") == 0 || strcmp(*v, "-h") == 0)
			return (usage_of("probe", true));
		if (strcmp(*v, "--json") == 0)
			*json = true;
		else if (strcmp(*v, "--yaml") == 0)
			*json = false;
		else
			*to++ = *v;
	}
	*to = NULL;
	return (-1);
}

int
probe_run(const struct globals *g, int argc, char **argv)
{
	char *text = malloc(CHOICE_REQUEST_BYTES);
	char shown[PLAIN_BYTES(SHOWN_BYTES)];
	const char *why, *bad;
	bool json = false;
	size_t n = 0;
	int code;

	(void)argc;
	if (text == NULL) {
		log_warn("probe");
		return (EX_OSERR);
	}
	code = take_own(argv + 1, &json);
	if (code == -1 &&
	    (why = choice_request(argv + 1, text, &n, &bad)) != NULL) {
		code = EX_USAGE;
		if (bad != NULL)
			plain(shown, sizeof(shown), bad,
			    strnlen(bad, SHOWN_BYTES));
		log_warnx("%s%s%s; try monitorctl probe --help",
		    bad != NULL ? shown : "", bad != NULL ? ": " : "", why);
	}
	if (code == -1)
		code = ask(g, (struct bytes){ text, n }, json);
	free(text);
	return (code);
}
