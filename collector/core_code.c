/*
 * What is at the places in the code that programs tell of.
 *
 * Names are given in the sweep; what they stand for is asked for behind it, of
 * somebody who has time (shell/helper.c), and is a definition like any other
 * when it comes.  Only the end of a run waits for it, and not for ever.
 */
#include <errno.h>

#include "core_inside.h"
#include "log.h"

#define LOOK_NS   (20 * ENV_MS)  /* between two looks at one program */
#define ANSWER_NS (10 * ENV_SEC) /* nobody has said anything for so long */
#define END_NS    (30 * ENV_SEC) /* a run has ended so long ago */

void
core_code_ask(struct collector_core *co)
{
	struct msg_resolve m;

	if (co->ops->resolve == NULL)
		return;
	while (drain_ask(co->drain, &m)) {
		if (co->asked == 0)
			co->answered_ns = co->now_ns;
		if (co->ops->resolve(co->arg, &m))
			co->asked++;
	}
}

void
core_code_look(struct collector_core *co)
{
	struct drain_po *dp;

	if (co->ops->code == NULL || co->blocked)
		return;
	while ((dp = drain_stray(co->drain, co->now_ns - LOOK_NS,
		    co->now_ns)) != NULL)
		co->ops->code(co->arg, dp);
	core_code_ask(co);
}

bool
core_code_waits(const struct collector_core *co)
{
	return (co->asked > 0 && co->now_ns - co->answered_ns < ANSWER_NS &&
		co->now_ns - co->state_ns < END_NS);
}

void
collector_core_module(struct collector_core *co, struct drain_po *dp,
    const struct msg_module *m)
{
	if (drain_room(co->drain) == -1 || drain_module(dp, m) == -1)
		log_warnx("po %u: no room for where its code is; its functions "
			  "stay without names",
		    drain_po_ident(dp)->number);
}

void
collector_core_sampling(struct collector_core *co, struct drain_po *dp,
    const char *way, uint32_t rate_hz, bool kernel)
{
	if (drain_room(co->drain) == -1 ||
	    drain_sampling(dp, way, rate_hz, kernel, co->now_ns) == -1)
		log_warnx("po %u: no room for how it is sampled; its samples "
			  "are not told",
		    drain_po_ident(dp)->number);
}

void
collector_core_symbol(struct collector_core *co, const struct msg_symbol *m)
{
	co->answered_ns = co->now_ns;
	if (m->more == 0 && co->asked > 0)
		co->asked--;
	if (m->function.n == 0 || drain_room(co->drain) == -1)
		return;
	if (drain_symbol(co->drain, m) == -1 && errno != ENOENT)
		log_warn("symbol");
}
