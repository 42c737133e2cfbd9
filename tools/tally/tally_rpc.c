/*
 * Figures of remote calls, from their four moments.
 */
#include "tally_inside.h"

struct call {
	uint32_t rpc; /* index */
	bool called, begun;
	int64_t called_mon_ns, begun_mon_ns;
};

static struct call *
call_of(struct tally *t, const struct event *e)
{
	struct tally_rpc *rpc;
	struct call *call;
	bool fresh;

	call = tally_thing(t->inside, &t->inside->calls, e->a, sizeof(*call),
	    &fresh);
	if (call == NULL || !fresh)
		return (call);
	rpc = tally_row(&t->inside->rpc, e->c, &t->rpcs, &t->nrpcs,
	    sizeof(*rpc), &fresh);
	if (rpc == NULL)
		return (NULL);
	rpc->name = e->c;
	call->rpc = (uint32_t)(rpc - t->rpcs);
	return (call);
}

int
tally_rpc_call(struct tally *t, const struct event *e)
{
	struct call *call = call_of(t, e);

	if (call == NULL)
		return (-1);
	call->called = true;
	call->called_mon_ns = e->t_mon_ns;
	t->rpcs[call->rpc].calls++;
	t->rpcs[call->rpc].sent_bytes += e->b;
	return (0);
}

int
tally_rpc_begin(struct tally *t, const struct event *e)
{
	struct call *call = call_of(t, e);

	if (call == NULL)
		return (-1);
	call->begun = true;
	call->begun_mon_ns = e->t_mon_ns;
	t->rpcs[call->rpc].served++;
	return (0);
}

int
tally_rpc_end(struct tally *t, const struct event *e)
{
	struct call *call = call_of(t, e);

	if (call == NULL)
		return (-1);
	t->rpcs[call->rpc].answered_bytes += e->b;
	if (call->begun)
		t->rpcs[call->rpc].service_ns +=
		    tally_span_ns(call->begun_mon_ns, e->t_mon_ns);
	call->begun = false;
	return (0);
}

int
tally_rpc_return(struct tally *t, const struct event *e)
{
	struct call *call = call_of(t, e);
	struct tally_rpc *rpc;

	if (call == NULL)
		return (-1);
	rpc = &t->rpcs[call->rpc];
	if (!call->called)
		return (0); /* its call was lost */
	call->called = false;
	rpc->returned++;
	return (tally_times_add(&rpc->times,
	    (int64_t)tally_span_ns(call->called_mon_ns, e->t_mon_ns)));
}
