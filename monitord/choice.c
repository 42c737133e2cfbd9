/*
 * The choice of the run (choice.h): which events are recorded, where.
 *
 * It is changed by `monitorctl probe' and told to every collector, which keeps
 * it; each change has a number, and a higher one is newer.  A monitord that is
 * started again learns it from the collectors that it finds.  Whoever has asked
 * for a change is answered when it is in force at all nodes that are here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "choice.h"
#include "glob.h"
#include "inside.h"
#include "log.h"

struct run_choice {
	uint64_t number;
	bool changed; /* since we were started */
	struct choice rules;
	struct choice before; /* comes back when the timer says so */
	struct env_timer *timer;
	struct choice first; /* of the cluster file */
};

struct run_choice *
choice_new(const char *rules)
{
	struct run_choice *rc = calloc(1, sizeof(*rc));

	if (rc == NULL || rules == NULL)
		return (rc);
	(void)choice_parse(&rc->first, rules, strlen(rules)); /* was checked */
	rc->rules = rc->first;
	rc->number = 1;
	return (rc);
}

void
choice_free(struct monitord_core *c)
{
	if (c->choice != NULL)
		c->env->ops->timer_free(c->choice->timer);
	free(c->choice);
}

uint64_t
choice_number(const struct monitord_core *c)
{
	return (c->choice->number);
}

void
choice_tell(struct node *n)
{
	struct run_choice *rc = n->core->choice;
	static char text[CHOICE_TEXT_BYTES];
	struct msg_choose m = { .number = rc->number };

	if (rc->number == 0 || n->data == NULL || n->state != NODE_RUNNING)
		return;
	m.rules = (struct bytes){ text, choice_print(&rc->rules, text) };
	guest_send(n->data, MSG_choose, &m);
}

static void
tell_all(struct monitord_core *c)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		choice_tell(n);
}

/* One that knows more than we do has known the monitord before us. */
int
node_chosen(struct node *n, const void *msg)
{
	static struct choice rules;
	const struct msg_chosen *m = msg;
	struct run_choice *rc = n->core->choice;
	const char *why;

	rules.n = 0;
	why = choice_parse(&rules, m->rules.p, m->rules.n);
	if (why != NULL) {
		log_warnx("node %s: what it says is recorded there makes no "
			  "sense: %s",
		    n->name, why);
		return (-1);
	}
	n->chosen = m->number;
	n->classes = m->classes;
	if (m->number > rc->number) {
		if (!rc->changed)
			rc->rules = rules;
		rc->number = m->number + (rc->changed ? 1 : 0);
		tell_all(n->core);
	}
	control_chosen(n->core);
	return (0);
}

bool
choice_in_force(const struct monitord_core *c, uint64_t number)
{
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry)
		if (n->data != NULL && n->state == NODE_RUNNING &&
		    n->chosen < number)
			return (false);
	return (true);
}

/* Is there somebody whom these rules mean?  NULL, or a sentence. */
static const char *
nobody(struct monitord_core *c, const struct choice_rule *r, bool later)
{
	static char why[400];
	bool node = *r->node == '\0', program = later || *r->program == '\0';
	struct node *n;

	TAILQ_FOREACH (n, &c->nodes, entry) {
		if (*r->node != '\0' &&
		    !glob_is(r->node, n->name, strlen(n->name)))
			continue;
		node = true;
		for (size_t i = 0; i < n->numbers.npos && !program; i++) {
			const char *p = n->numbers.names[i].program;

			program =
			    p != NULL && glob_is(r->program, p, strlen(p));
		}
	}
	if (!node)
		snprintf(why, sizeof(why), "no node is called %s", r->node);
	else if (!program)
		snprintf(why, sizeof(why),
		    "no program called %s has been seen%s%s; --later for one "
		    "that is still to come",
		    r->program, *r->node != '\0' ? " on " : "", r->node);
	return (node && program ? NULL : why);
}

static void
put_in_force(struct monitord_core *c, const struct choice *rules)
{
	struct run_choice *rc = c->choice;

	rc->rules = *rules;
	rc->number++;
	rc->changed = true;
	core_busy(c);
	tell_all(c);
}

/* The window is over: what was recorded before it is again. */
static void
before_cb(void *arg)
{
	struct monitord_core *c = arg;

	if (c->state == CORE_RUNNING)
		put_in_force(c, &c->choice->before);
}

/*
 * Rules that hold for so long; those of a window that is open already lie
 * within it.  0: they hold until the next change, and so does what is there.
 * -1: ENOMEM.
 */
static int
set_window(struct monitord_core *c, uint64_t ms)
{
	struct run_choice *rc = c->choice;

	if (rc->timer == NULL)
		rc->timer = c->env->ops->timer_new(c->env, before_cb, c);
	if (rc->timer == NULL)
		return (-1);
	c->env->ops->timer_stop(rc->timer);
	if (ms == 0)
		return (0);
	rc->before = rc->rules;
	c->env->ops->timer_set(rc->timer, (int64_t)ms * ENV_MS);
	return (0);
}

/* "for MS" as a line; 0: there is none, UINT64_MAX: it makes no sense. */
static uint64_t
take_window(struct bytes *b)
{
	static const char word[] = "for ";
	const char *p = b->p;
	size_t at = sizeof(word) - 1;
	uint64_t ms = 0;

	if (b->n <= at || memcmp(p, word, at) != 0)
		return (0);
	for (; at < b->n && p[at] >= '0' && p[at] <= '9' && ms < CHOICE_FOR_MS;
	     at++)
		ms = ms * 10 + (uint64_t)(p[at] - '0');
	if (at == b->n || p[at] != '\n' || ms == 0 || ms > CHOICE_FOR_MS)
		return (UINT64_MAX);
	b->p = p + at + 1;
	b->n -= at + 1;
	return (ms);
}

/* The lines before the rules. */
static bool
take_word(struct bytes *b, const char *word)
{
	size_t n = strlen(word);

	if (b->n < n || memcmp(b->p, word, n) != 0)
		return (false);
	b->p = (const char *)b->p + n;
	b->n -= n;
	return (true);
}

int
choice_change(struct monitord_core *c, struct bytes arguments, const char **why)
{
	static struct choice rules, fresh;
	struct run_choice *rc = c->choice;
	bool reset = take_word(&arguments, "reset\n");
	bool later = take_word(&arguments, "later\n");
	uint64_t window_ms = take_window(&arguments);

	if (c->state != CORE_RUNNING) {
		*why = "the run is over";
		return (EX_UNAVAILABLE);
	}
	if (window_ms == UINT64_MAX) {
		*why = "--for takes a time of up to a day";
		return (EX_USAGE);
	}
	fresh.n = 0;
	*why = choice_parse(&fresh, arguments.p, arguments.n);
	if (*why != NULL)
		return (EX_USAGE);
	for (uint32_t i = 0; i < fresh.n; i++)
		if ((*why = nobody(c, &fresh.rule[i], later)) != NULL)
			return (EX_UNAVAILABLE);
	rules = rc->rules;
	if (reset)
		rules = rc->first;
	*why = choice_parse(&rules, arguments.p, arguments.n);
	if (*why != NULL)
		return (EX_USAGE);
	if (set_window(c, window_ms) == -1) {
		*why = "monitord is out of memory";
		return (EX_OSERR);
	}
	put_in_force(c, &rules);
	return (EX_OK);
}

static void
quoted(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', f);
		if ((unsigned char)*s >= 0x20)
			putc(*s, f);
	}
	putc('"', f);
}

/* As it is typed: of "-lock\tprogram=a" is -lock --program a. */
static void
list_rules(FILE *f, const struct choice *rules)
{
	char *text = malloc(CHOICE_TEXT_BYTES), *line, *save = NULL;

	if (text == NULL)
		return;
	(void)choice_print(rules, text);
	fprintf(f, "rules:%s\n", rules->n == 0 ? " []" : "");
	for (line = strtok_r(text, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save)) {
		char typed[CHOICE_LINE + 16], *to = typed;

		for (const char *p = line; *p != '\0'; p++) {
			if (*p == '\t')
				to = stpcpy(to, " --");
			else
				*to++ = *p;
		}
		*to = '\0';
		fputs("  - ", f);
		quoted(f, typed);
		putc('\n', f);
	}
	free(text);
}

static bool
listed_before(const struct node *n, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (n->numbers.names[k].program != NULL &&
		    strcmp(n->numbers.names[k].program,
			n->numbers.names[i].program) == 0)
			return (true);
	return (false);
}

/* Those of which something else is recorded than of the others. */
static void
list_programs(FILE *f, struct node *n, uint32_t base, const char *all)
{
	static struct choice_of of;
	static char words[CHOICE_WORDS];
	bool first = true;

	for (size_t i = 0; i < n->numbers.npos; i++) {
		const char *program = n->numbers.names[i].program;

		if (program == NULL || listed_before(n, i))
			continue;
		choice_of(&n->core->choice->rules, base, n->name, program, &of);
		choice_words(&of, words);
		if (strcmp(words, all) == 0)
			continue;
		fprintf(f,
		    "%s      - program: ", first ? "    programs:\n" : "");
		quoted(f, program);
		fprintf(f, "\n        recorded: ");
		quoted(f, words);
		putc('\n', f);
		first = false;
	}
}

static void
list_node(FILE *f, struct node *n)
{
	static struct choice_of of;
	static char all[CHOICE_WORDS];
	uint32_t base = n->classes == 0 ? CHOICE_CLASSES : n->classes;

	choice_of(&n->core->choice->rules, base, n->name, "", &of);
	choice_words(&of, all);
	fprintf(f, "  - name: ");
	quoted(f, n->name);
	fprintf(f, "\n    in_force: %s\n    recorded: ",
	    n->data != NULL && n->chosen == n->core->choice->number ? "true"
								    : "false");
	quoted(f, all);
	putc('\n', f);
	list_programs(f, n, base, all);
}

/* Of the first node, and which others have something else. */
void
choice_sentence(struct monitord_core *c, char text[CHOICE_SENTENCE])
{
	static struct choice_of of;
	static char first[CHOICE_WORDS], words[CHOICE_WORDS];
	struct node *n;
	size_t at = 0;

	text[0] = '\0';
	TAILQ_FOREACH (n, &c->nodes, entry) {
		choice_of(&c->choice->rules,
		    n->classes == 0 ? CHOICE_CLASSES : n->classes, n->name, "",
		    &of);
		choice_words(&of, words);
		if (at > 0 && strcmp(words, first) == 0)
			continue;
		if (at == 0) {
			memcpy(first, words, sizeof(first));
			at = (size_t)snprintf(text, CHOICE_SENTENCE,
			    "recorded: %.200s", words);
		} else
			at += (size_t)snprintf(text + at, CHOICE_SENTENCE - at,
			    "; at %.60s: %.100s", n->name, words);
		if (at >= CHOICE_SENTENCE)
			return;
	}
}

char *
choice_text(struct monitord_core *c)
{
	char *text = NULL;
	size_t bytes = 0;
	struct node *n;
	FILE *f = open_memstream(&text, &bytes);

	if (f == NULL)
		return (NULL);
	fprintf(f, "changes: %" PRIu64 "\n", c->choice->number);
	list_rules(f, &c->choice->rules);
	fprintf(f, "nodes:%s\n", TAILQ_EMPTY(&c->nodes) ? " []" : "");
	TAILQ_FOREACH (n, &c->nodes, entry)
		list_node(f, n);
	if (fclose(f) != 0) {
		free(text);
		return (NULL);
	}
	return (text);
}
