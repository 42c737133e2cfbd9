/* The second program of the oracle: it serves truth.c, on another node. */
#include "tests/oracle/truth.h"

#include <err.h>
#include <unistd.h>

/* As in truth.c and truth_same.c, and yet another one. */
static void
step(int n)
{
	PROBE_SCOPE();
	truth_spin(15000 * n);
}

static void
serve(struct wire *w)
{
	probe_rpc_begin(w->id, w->bytes, PROBE_NAME("remote"));
	for (int i = 1; i <= 3; i++)
		step(i);
	probe_rpc_end(w->id, 16, PROBE_NAME("remote"));
}

static void
answer(struct wire *w)
{
	PROBE_SCOPE();
	probe_receive(w->id, w->bytes, 1);
	w->id = probe_message_id();
	w->bytes = 64;
	probe_send(w->id, w->bytes, 7);
}

static void
visit(struct wire *w)
{
	uint64_t order = probe_id();

	probe_object_arrive(w->object, w->hop, PROBE_NAME("n1"));
	truth_spin(20000);
	probe_object_order(w->object, order, PROBE_NAME("n1"));
	probe_object_obey(w->object, order, PROBE_NAME("n1"));
	probe_object_depart(w->object, ++w->hop, PROBE_NAME("n1"));
}

int
main(void)
{
	struct wire w;

	PROBE_SCOPE();
	probe_thread_name("server");
	while (read(0, &w, sizeof(w)) == sizeof(w) && w.what != WIRE_END) {
		if (w.what == WIRE_CALL)
			serve(&w);
		else if (w.what == WIRE_MESSAGE)
			answer(&w);
		else
			visit(&w);
		if (write(0, &w, sizeof(w)) != sizeof(w))
			err(1, "write");
	}
	return (0);
}
