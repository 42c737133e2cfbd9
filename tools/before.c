/*
 * monitorctl before: how two events of a run stand to each other, and why.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/logs/pick.h"

static bool
same(struct logical_event a, struct logical_event b)
{
	return (a.location == b.location && a.seq == b.seq);
}

/* From the first to the last; what came over from another thread has a >. */
static int
print_chain(struct picked *k, const struct pick *from, const struct pick *to,
    const struct logical_edge *path, size_t n)
{
	struct fetched *f = calloc(2 * n + 1, sizeof(*f));
	struct logical_event last = from->name;
	int code = EX_OSERR;

	if (f == NULL) {
		log_warn("before");
		return (EX_OSERR);
	}
	for (size_t i = 0; i < n; i++) {
		f[2 * i].name = path[i].cause;
		f[2 * i + 1].name = path[i].effect;
	}
	if (n > 0 && (code = picked_fetch(k, f, 2 * n)) != EX_OK)
		goto out;
	picked_print(k, "  ", &from->event);
	for (size_t i = 0; i < n; i++) {
		if (!same(last, path[i].cause))
			picked_print(k, "  ",
			    fetched_find(f, 2 * n, path[i].cause));
		picked_print(k, "> ", fetched_find(f, 2 * n, path[i].effect));
		last = path[i].effect;
	}
	if (!same(last, to->name))
		picked_print(k, "  ", &to->event);
	code = EX_OK;
out:
	free(f);
	return (code);
}

static int
print_order(struct picked *k)
{
	const struct pick *a = &k->pick[0], *b = &k->pick[1], *swap;
	int order = logical_order(k->logical, a->name, b->name), code;
	struct logical_edge *path = NULL;
	size_t n;

	if (order == -1) {
		log_warn("before");
		return (EX_OSERR);
	}
	printf("%s: ", logical_order_name[order]);
	if (order == LOGICAL_SAME || order == LOGICAL_CONCURRENT) {
		puts(order == LOGICAL_SAME
			 ? "both are one event"
			 : "neither happens before the other");
		picked_print(k, "  ", &a->event);
		if (order == LOGICAL_CONCURRENT)
			picked_print(k, "  ", &b->event);
		return (EX_OK);
	}
	if (order == LOGICAL_AFTER) {
		swap = a;
		a = b;
		b = swap;
	}
	if (logical_path(k->logical, a->name, b->name, &path, &n) != 1) {
		log_warn("before");
		return (EX_OSERR);
	}
	printf("the %s happens before the %s, ",
	    order == LOGICAL_BEFORE ? "first" : "second",
	    order == LOGICAL_BEFORE ? "second" : "first");
	if (n == 0)
		puts("on one thread");
	else
		printf("through %zu cause%s\n", n, n == 1 ? "" : "s");
	code = print_chain(k, a, b, path, n);
	free(path);
	return (code);
}

int
before_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct pick pick[2] = { 0 };
	struct picked k = { .pick = pick, .n = 2 };
	int c, code;

	(void)g;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		return (option_of("before", c, argv));
	if (argc - optind != 3)
		return (usage_of("before", false));
	pick[0].text = argv[optind + 1];
	pick[1].text = argv[optind + 2];
	code = picked_open(&k, argv[optind]);
	if (code == EX_OK)
		code = print_order(&k);
	picked_close(&k);
	return (code);
}
