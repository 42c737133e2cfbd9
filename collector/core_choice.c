/*
 * The choice of the run (choice.h) at this node: it comes from monitord, is
 * kept in a file beside the spool, so that who comes after us goes on with it,
 * and holds for the programs that are here and for new ones.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/spool/spool.h"
#include "collector/sweep/drain_choice.h"
#include "core_inside.h"
#include "log.h"

#define PATH_BYTES 1100

static void
choice_path(const struct collector_core *co, const char *name,
    char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "%.1000s/%s", spool_dir(co->spool), name);
}

/* "number N" and the rules, a line each. */
static int
choice_save(struct collector_core *co)
{
	const struct env_ops *ops = co->env->ops;
	char path[PATH_BYTES], fresh[PATH_BYTES];
	struct env_file *f = NULL;
	char *text = malloc(CHOICE_TEXT_BYTES + 64);
	int n, rc = -1;

	if (text == NULL)
		return (-1);
	n = snprintf(text, 64, "number %" PRIu64 "\n", co->choice.number);
	n += (int)choice_print(&co->choice.rules, text + n);
	choice_path(co, "choice.new", fresh);
	choice_path(co, "choice", path);
	f = ops->open(co->env, fresh, ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);
	if (f != NULL && ops->write_at(f, text, (size_t)n, 0) == n &&
	    ops->sync(f) == 0)
		rc = ops->rename(co->env, fresh, path);
	ops->file_close(f);
	free(text);
	return (rc);
}

void
core_choice_load(struct collector_core *co)
{
	const struct env_ops *ops = co->env->ops;
	char path[PATH_BYTES];
	struct env_file *f;
	char *text = malloc(CHOICE_TEXT_BYTES + 64), *line;
	ssize_t n = -1;

	choice_path(co, "choice", path);
	f = ops->open(co->env, path, ENV_READ);
	if (f != NULL && text != NULL)
		n = ops->read_at(f, text, CHOICE_TEXT_BYTES + 63, 0);
	ops->file_close(f);
	if (n > 0) {
		text[n] = '\0';
		line = memchr(text, '\n', (size_t)n);
		if (line == NULL ||
		    sscanf(text, "number %" SCNu64, &co->choice.number) != 1 ||
		    choice_parse(&co->choice.rules, line + 1,
			(size_t)(text + n - line - 1)) != NULL) {
			log_warnx("%s: makes no sense; everything is recorded "
				  "until monitord says otherwise",
			    path);
			co->choice.number = 0;
			co->choice.rules.n = 0;
		}
	}
	free(text);
}

bool
core_takes(const struct collector_core *co)
{
	return (co->state == CORE_RUNNING);
}

void
core_choose(struct collector_core *co, struct drain_po *dp)
{
	/* too large for a stack that has other things on it */
	static struct choice_of of;

	choice_of(&co->choice.rules, co->opt.mask, co->name,
	    drain_po_ident(dp)->program, &of);
	drain_choose(dp, &of, core_takes(co), co->now_ns);
}

/* Rules for all classes do not ask for samples, but can leave them out. */
static bool
samples_chosen(const struct collector_core *co, const struct drain_po *dp,
    bool asked_for)
{
	static struct choice rules;
	static struct choice_of of;
	const uint32_t bit = UINT32_C(1) << CLASS_sample;
	uint32_t base = co->opt.mask;

	rules = co->choice.rules;
	for (uint32_t i = 0; asked_for && i < rules.n; i++)
		if (rules.rule[i].on && rules.rule[i].classes == CHOICE_CLASSES)
			rules.rule[i].classes &= ~bit;
	if (asked_for)
		base &= ~bit;
	choice_of(&rules, base, co->name,
	    drain_po_ident((struct drain_po *)(uintptr_t)dp)->program, &of);
	return ((of.classes & bit) != 0);
}

uint32_t
collector_core_sample_hz(const struct collector_core *co,
    const struct drain_po *dp)
{
	uint32_t rate_hz = co->opt.sample_hz;

	if (samples_chosen(co, dp, true))
		return (rate_hz == 0 ? COLLECTOR_SAMPLE_HZ : rate_hz);
	return (samples_chosen(co, dp, false) ? rate_hz : 0);
}

static int
choose_cb(void *arg, struct drain_po *dp)
{
	struct collector_core *co = arg;

	core_choose(co, dp);
	if (co->ops->sampling != NULL)
		co->ops->sampling(co->arg, dp,
		    collector_core_sample_hz(co, dp));
	return (0);
}

static int
resume_cb(void *arg, struct drain_po *dp)
{
	drain_choice_mask(dp, core_takes(arg));
	return (0);
}

static int
second_cb(void *arg, struct drain_po *dp)
{
	struct collector_core *co = arg;

	drain_choice_second(dp, core_takes(co), co->now_ns);
	return (0);
}

void
core_choice_resume(struct collector_core *co)
{
	drain_each(co->drain, resume_cb, co);
}

void
core_choice_second(struct collector_core *co)
{
	drain_each(co->drain, second_cb, co);
}

static void
chosen(struct collector_core *co)
{
	uplink_chosen(co->uplink, co->choice.number, co->opt.mask,
	    &co->choice.rules);
}

void
core_choice_forget(struct collector_core *co)
{
	if (co->choice.number == 0)
		return;
	co->choice.number = 0;
	co->choice.rules.n = 0;
	if (choice_save(co) == -1)
		log_warn("%s: the choice of what is recorded",
		    spool_dir(co->spool));
	drain_each(co->drain, choose_cb, co);
}

void
core_choice_welcome(struct collector_core *co)
{
	chosen(co);
}

/* What is older than ours has been overtaken. */
void
core_choice_set(void *arg, const struct msg_choose *m)
{
	static struct choice rules;
	struct collector_core *co = arg;
	const char *why;

	rules.n = 0;
	why = choice_parse(&rules, m->rules.p, m->rules.n);
	if (why != NULL) {
		log_warnx("monitord's choice of what is recorded makes no "
			  "sense: %s",
		    why);
		return;
	}
	if (m->number > co->choice.number) {
		co->choice.rules = rules;
		co->choice.number = m->number;
		core_clocks(co);
		if (choice_save(co) == -1)
			log_warn("%s: the choice of what is recorded is not "
				 "kept",
			    spool_dir(co->spool));
		drain_each(co->drain, choose_cb, co);
		co->idle = 0;
		core_schedule(co, co->opt.sweep_ns);
	}
	chosen(co);
}
