/*
 * monitorctl who: asks the query ports of the collectors on this machine.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"
#include "paths.h"
#include "plain.h"
#include "tools/ask/ask.h"
#include "tools/ask/nodes.h"
#include "tools/doc/doc.h"
#include "tools/logs/argument.h"

static void
print_answer(struct doc *d, const char *node, const struct msg_answer *m)
{
	char place[64], name[PLAIN_BYTES(1024)];

	plain(name, sizeof(name), m->name.p, m->name.n);

	if (m->thread == 0)
		snprintf(place, sizeof(place), "%s/%u", node, m->po);
	else
		snprintf(place, sizeof(place), "%s/%u.%u", node, m->po,
		    m->thread);
	if (d->form == DOC_NONE) {
		if (!d->level[0].any) /* the first */
			printf("%-16s %8s  %-6s %12s %8s  %s\n", "WHO", "ID",
			    "STATE", "PUBLISHED", "LOST", "NAME");
		d->level[0].any = true;
		printf("%-16s %8u  %-6s %12" PRIu64 " %8" PRIu64 "  %s\n",
		    place, m->os_id, m->alive ? "alive" : "ended", m->published,
		    m->lost, name);
		return;
	}
	doc_map(d, NULL, DOC_ONE_LINE);
	doc_text(d, "who", place);
	doc_text(d, "node", node);
	doc_count(d, "po", m->po);
	doc_count(d, "thread", m->thread);
	doc_count(d, "os_id", m->os_id);
	doc_bool(d, "alive", m->alive);
	doc_count(d, "published", m->published);
	doc_count(d, "lost", m->lost);
	doc_text(d, "name", name);
	doc_end(d);
}

/* Returns how many there were, or -1 with *code set. */
static int
who_node(struct doc *d, const char *node, const struct msg_query *q, int *code)
{
	struct msg_answer m = { 0 };
	char path[PATH_MAX];
	struct ask a;
	int n = 0;

	if (paths_collector(path, sizeof(path), node) == -1) {
		log_warn("node %s", node);
		*code = EX_USAGE;
		return (-1);
	}
	if (ask_connect(&a, path) == -1) {
		log_warn("no collector of node %s: %s", node, path);
		*code = a.code;
		return (-1);
	}
	if (ask_send(&a, MSG_query, q) == -1)
		goto fail;
	do {
		if (ask_receive(&a, MSG_answer, &m, ASK_TIMEOUT_MS) == -1)
			goto fail;
		if (m.os_id == 0 && m.name.n == 0)
			continue; /* there is none */
		print_answer(d, node, &m);
		n++;
	} while (m.more);
	ask_close(&a);
	return (n);

fail:
	*code = a.code;
	ask_close(&a);
	return (-1);
}

/* "3" or "3.1"; -1 if it is neither. */
static int
place_arg(char *s, struct msg_query *q)
{
	char *dot = strchr(s, '.');
	uint64_t po, thread = 0;

	if (dot != NULL)
		*dot++ = '\0';
	if (number_arg(s, UINT32_MAX, &po) == -1 || po == 0 ||
	    (dot != NULL &&
		(number_arg(dot, UINT32_MAX, &thread) == -1 || thread == 0))) {
		log_warnx("which process? PO or PO.THREAD, numbers from 1");
		return (-1);
	}
	q->po = (uint32_t)po;
	q->thread = (uint32_t)thread;
	return (0);
}

int
who_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "node", required_argument, NULL, 'n' },
		{ "yaml", no_argument, NULL, 'y' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct msg_query q = { 0 };
	struct nodes nodes = { 0 };
	struct doc d = { .form = DOC_NONE };
	enum doc_form form = DOC_NONE;
	const char *only = NULL;
	int c, code = EX_OK, found = 0, n;

	(void)g;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'n':
			only = optarg;
			if (text_arg("who: --node", only) == -1)
				return (EX_USAGE);
			break;
		case 'y':
			form = DOC_YAML;
			break;
		case 'j':
			form = DOC_JSON;
			break;
		default:
			return (option_of("who", c, argv));
		}
	if (optind < argc && place_arg(argv[optind++], &q) == -1)
		return (EX_USAGE);
	if (optind < argc)
		return (usage_of("who", false));
	if (only == NULL && (nodes_list(&nodes) == -1 || nodes.n == 0)) {
		log_warnx("no collector on this machine; say --node or --dir, "
			  "or start monitord");
		nodes_clear(&nodes);
		return (EX_UNAVAILABLE);
	}
	if (form != DOC_NONE)
		doc_begin_list(&d, stdout, form);
	for (size_t i = 0; i < (only != NULL ? 1 : nodes.n); i++) {
		n = who_node(&d, only != NULL ? only : nodes.name[i], &q,
		    &code);
		found += n > 0 ? n : 0;
	}
	if (form != DOC_NONE)
		doc_finish(&d);
	nodes_clear(&nodes);
	if (code == EX_OK && q.po != 0 && found == 0) {
		log_warnx("there is no such process or thread");
		return (EX_UNAVAILABLE);
	}
	return (code);
}
