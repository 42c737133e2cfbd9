/*
 * monitorctl probe: says, or asks monitord to change, what is recorded.
 *
 * Its rules begin with + and -, so the command line is read by hand here: what
 * begins with -- is an option, and holds for all rules of the line.
 */
#include <stdio.h>
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
#include "tools/logs/argument.h"

struct line {
	struct choice_rule rule[CHOICE_RULES], all; /* all: selections */
	uint32_t n;
	bool reset, later, json;
};

static const struct {
	const char *option;
	size_t offset;
} selections[] = {
	{ "--program", offsetof(struct choice_rule, program) },
	{ "--node", offsetof(struct choice_rule, node) },
	{ "--thread", offsetof(struct choice_rule, thread) },
};
#define NSELECTIONS (sizeof(selections) / sizeof(selections[0]))

/* How many words it takes; 0: it is none; -1, having said what is wrong. */
static int
take_selection(struct line *l, char **v)
{
	for (size_t i = 0; i < NSELECTIONS; i++) {
		const char *option = selections[i].option, *value, *why;
		size_t n = strlen(option);
		bool own = v[0][n] == '=';

		if (strncmp(v[0], option, n) != 0 || (v[0][n] != '\0' && !own))
			continue;
		value = own ? v[0] + n + 1 : v[1];
		if (value == NULL) {
			log_warnx("%s needs a value; try monitorctl probe "
				  "--help",
			    option);
			return (-1);
		}
		if (text_arg(option, value) == -1)
			return (-1);
		why = choice_pattern_problem(value);
		if (why != NULL) {
			log_warnx("%s %s: %s", option, value, why);
			return (-1);
		}
		strcpy((char *)&l->all + selections[i].offset, value);
		return (own ? 1 : 2);
	}
	return (0);
}

/* "-lock 'db_*'": a pattern without a sign is of the class before it. */
static const char *
narrow(struct line *l, const char *pattern)
{
	char word[CHOICE_LINE];
	struct choice_rule *r = &l->rule[l->n - 1];

	for (unsigned c = 0; c < EVENT_CLASSES; c++) {
		if (r->classes != UINT32_C(1) << c || *r->name != '\0')
			continue;
		snprintf(word, sizeof(word), "%c%s:%s", r->on ? '+' : '-',
		    event_class_name[c], pattern);
		return (choice_word(r, word));
	}
	return ("a pattern needs a + or -, or a class before it");
}

static int
take_word(struct line *l, const char *word)
{
	char shown[PLAIN_BYTES(200)];
	const char *why;

	if (l->n == CHOICE_RULES)
		why = "there is room for 64 rules";
	else if (*word == '+' || *word == '-' || strncmp(word, "cap:", 4) == 0)
		why = choice_word(&l->rule[l->n++], word);
	else
		why = l->n == 0 ? "expected +CLASS, -CLASS, +PATTERN or "
				  "-PATTERN"
				: narrow(l, word);
	if (why == NULL)
		return (0);
	plain(shown, sizeof(shown), word, strnlen(word, 200));
	log_warnx("%s: %s", shown, why);
	return (-1);
}

/* The rest of the command line.  -1: go on; else the exit code. */
static int
take_all(struct line *l, char **v)
{
	int n;

	while (*v != NULL) {
		n = 1;
		if (strcmp(*v, "--help") == 0 || strcmp(*v, "-h") == 0)
			return (usage_of("probe", true));
		if (strcmp(*v, "--reset") == 0)
			l->reset = true;
		else if (strcmp(*v, "--later") == 0)
			l->later = true;
		else if (strcmp(*v, "--json") == 0)
			l->json = true;
		else if (strcmp(*v, "--yaml") == 0)
			l->json = false;
		else if (strncmp(*v, "--", 2) == 0) {
			n = take_selection(l, v);
			if (n == 0)
				log_warnx("no option %s; try monitorctl probe "
					  "--help",
				    *v);
			if (n <= 0)
				return (EX_USAGE);
		} else if (take_word(l, *v) == -1)
			return (EX_USAGE);
		v += n;
	}
	return (-1);
}

/* What monitord is to be asked; -1, having said what is wrong. */
static int
request_text(const struct line *l, char *text, size_t *n)
{
	static struct choice c;
	const char *why = NULL;

	for (uint32_t i = 0; i < l->n && why == NULL; i++) {
		struct choice_rule r = l->rule[i];

		memcpy(r.program, l->all.program, sizeof(r.program));
		memcpy(r.node, l->all.node, sizeof(r.node));
		memcpy(r.thread, l->all.thread, sizeof(r.thread));
		why = choice_add(&c, &r);
	}
	if (why == NULL && l->n == 0 &&
	    (*l->all.program != '\0' || *l->all.node != '\0' ||
		*l->all.thread != '\0' || l->later))
		why = "there is no rule that it could be for";
	if (why != NULL) {
		log_warnx("%s", why);
		return (-1);
	}
	*n = (size_t)snprintf(text, 64, "%s%s", l->reset ? "reset\n" : "",
	    l->later ? "later\n" : "");
	*n += choice_print(&c, text + *n);
	return (0);
}

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

int
probe_run(const struct globals *g, int argc, char **argv)
{
	static struct line l;
	char *text = malloc(CHOICE_TEXT_BYTES + 64);
	size_t n = 0;
	int code;

	(void)argc;
	if (text == NULL) {
		log_warn("probe");
		return (EX_OSERR);
	}
	code = take_all(&l, argv + 1);
	if (code == -1 && request_text(&l, text, &n) == -1)
		code = EX_USAGE;
	if (code == -1)
		code = ask(g, (struct bytes){ text, n }, l.json);
	free(text);
	return (code);
}
