/* What lives at a node of drones.c: objects that act, and messages to them. */
#include <sys/prctl.h>
#include <sys/queue.h>

#include <signal.h>
#include <time.h>

#include "drones.h"

/* An object that lives here. */
struct resident {
	TAILQ_ENTRY(resident) entry;
	struct object o;
	int64_t due_ns; /* when it acts next; INT64_MAX: when told to */
};

static TAILQ_HEAD(, resident) residents = TAILQ_HEAD_INITIALIZER(residents);
static struct account account;
static const char *const class_name[CLASSES] = { "controller", "drone",
	"factory", "pawn", "machine", "product" };

/* Class of the i-th object that is there from the beginning. */
static enum class class_of(int i) {
	static const enum class pattern[] = { DRONE, PAWN, FACTORY, DRONE, PAWN,
		DRONE };

	    return (i == 0 ? CONTROLLER : pattern[(i - 1) % 6]);
}

int count_of(enum class class)
{
	int n = 0;

	for (int i = 0; i < nobjects; i++)
		n += class_of(i) == class;
	return (n);
}

int
machines_of_a_factory(void)
{
	return (hops / 5 + 1);
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (t.tv_sec * INT64_C(1000000000) + t.tv_nsec);
}

static uint32_t
random_of(struct object *o)
{
	o->random = o->random * 6364136223846793005u + 1442695040888963407u;
	return ((uint32_t)(o->random >> 33));
}

static int
another_node(struct object *o)
{
	if (nodes.n == 1)
		return (0);
	return ((o->at + 1 + (int)(random_of(o) % (uint32_t)(nodes.n - 1))) %
		nodes.n);
}

/* An object takes a while before it acts again. */
static void
rest(struct resident *r)
{
	double share = 0.5 + random_of(&r->o) % 1000 / 1000.0;

	r->due_ns = now_ns() + (int64_t)(pace_ms * share * 1e6);
}

static struct resident *
settle(const struct object *o)
{
	struct resident *r;

	if ((r = calloc(1, sizeof(*r))) == NULL)
		err(EX_OSERR, "object");
	r->o = *o;
	r->o.at = self;
	r->o.visits[self]++;
	TAILQ_INSERT_TAIL(&residents, r, entry);
	rest(r);
	return (r);
}

/* An object acts when it is told to. */
static void
await(struct resident *r, uint32_t what)
{
	r->due_ns = INT64_MAX;
	probe_object_pause(&r->o.me, what);
}

static void
await_order(struct resident *r)
{
	struct message ready = { .subject = READY, .object = r->o };

	await(r, PROBE_NAME("order"));
	tell(0, &ready);
}

static void
create(enum class class, int number, int home,
    const struct probe_request *asked, uint64_t random)
{
	struct object o = { .class = class,
		.number = number,
		.home = home,
		.random = random,
		.left = hops };
	struct resident *r;

	if (class == CONTROLLER)
		o.left = count_of(PAWN);
	else if (class == FACTORY)
		o.left = machines_of_a_factory();
	else if (class == MACHINE)
		o.left = 1;
	account.created++;
	probe_object_init(&o.me, class_name[class],
	    class == CONTROLLER ? "chief" : NULL);
	probe_object_begin(&o.me, asked);
	r = settle(&o);
	if (class == PAWN)
		await_order(r);
	else if (class == CONTROLLER && o.left > 0)
		await(r, PROBE_NAME("pawns"));
}

static void
dispose(struct resident *r)
{
	struct message gone = { .subject = GONE, .object = r->o };

	account.disposed++;
	probe_object_end(&r->o.me);
	TAILQ_REMOVE(&residents, r, entry);
	free(r);
	if (gone.object.class == PAWN)
		tell(0, &gone);
	tell(nodes.n, &gone);
}

static void
depart(struct resident *r, int destination)
{
	struct message move = { .subject = MOVE };

	account.departures++;
	probe_object_pack(&r->o.me, nodes.name[destination], move.packed,
	    sizeof(move.packed));
	move.object = r->o;
	TAILQ_REMOVE(&residents, r, entry);
	free(r);
	tell(destination, &move);
}

/* Has an object made at another node, which will fly to home. */
static void
request(struct object *creator, enum class class, int where, int home)
{
	struct message m = { .subject = REQUEST };

	m.object.class = class;
	m.object.home = home;
	m.object.random = random_of(creator);
	probe_object_ask(&creator->me, class_name[class], &m.request);
	tell(where, &m);
}

/* What an object does when its rest is over. */
static void
act(struct resident *r)
{
	struct object *o = &r->o;

	switch (o->class) {
	case DRONE:
	case PAWN:
		if ((int)o->me.hops == hops)
			dispose(r);
		else
			depart(r, o->class == PAWN ? o->destination
						   : another_node(o));
		return;
	case FACTORY:
	case MACHINE:
		if (o->left > 0) {
			o->left--;
			request(o, o->class == FACTORY ? MACHINE : PRODUCT,
			    o->class == FACTORY ? another_node(o)
						: (self + 1) % nodes.n,
			    o->home);
			rest(r);
			return;
		}
		/* fall through */
	default:
		if (o->at == o->home || o->class == CONTROLLER)
			dispose(r);
		else
			depart(r, o->home);
	}
}

/* Messages. */

static struct resident *
find(enum class class, int number)
{
	struct resident *r;

	TAILQ_FOREACH (r, &residents, entry)
		if (r->o.class == class && r->o.number == number)
			return (r);
	errx(EX_SOFTWARE, "%s: no such %s", nodes.name[self],
	    class_name[class]);
}

/* An object has come. */
static void
on_move(const struct message *m)
{
	struct resident *r = settle(&m->object);

	account.arrivals++;
	if (probe_object_unpack(&r->o.me, m->packed, sizeof(m->packed)) == 0)
		errx(EX_PROTOCOL, "an object that makes no sense");
	if (r->o.class == PAWN && (int)r->o.me.hops < hops)
		await_order(r);
}

/* A pawn awaits the controller's order. */
static void
on_ready(const struct message *m)
{
	struct message order = { .subject = ORDER, .object = m->object };
	struct object *pawn = &order.object, *chief = &find(CONTROLLER, 0)->o;

	pawn->random += random_of(chief);
	pawn->destination = another_node(pawn);
	account.orders++;
	order.order = probe_object_command(&chief->me, pawn->me.id,
	    nodes.name[pawn->destination]);
	tell(pawn->at, &order);
}

static void
on_order(const struct message *m)
{
	struct resident *r = find(PAWN, m->object.number);

	account.obeyed++;
	r->o.destination = m->object.destination;
	probe_object_resume(&r->o.me);
	probe_object_follow(&r->o.me, m->order, nodes.name[r->o.destination]);
	rest(r);
}

static void
on_request(const struct message *m)
{
	create(m->object.class, -1, m->object.home, &m->request,
	    m->object.random);
}

/* A pawn is no more. */
static void
on_gone(const struct message *m)
{
	struct resident *controller = find(CONTROLLER, 0);

	(void)m;
	if (--controller->o.left > 0)
		return;
	probe_object_resume(&controller->o.me);
	rest(controller);
}

static void
on_stop(const struct message *m)
{
	struct message answer = { .subject = ACCOUNT, .account = account };

	(void)m;
	tell(nodes.n, &answer);
	exit(0);
}

static void (*const handlers[SUBJECTS])(const struct message *) = {
	[MOVE] = on_move,
	[ORDER] = on_order,
	[READY] = on_ready,
	[REQUEST] = on_request,
	[GONE] = on_gone,
	[STOP] = on_stop,
};

_Noreturn void
node_main(void)
{
	struct resident *r, *next;
	struct message m;
	int64_t wait_ns;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	probe_thread_name(nodes.name[self]);
	for (int i = self; i < nobjects; i += nodes.n)
		create(class_of(i), i, self, NULL, seed * 1000 + (uint64_t)i);
	for (;;) {
		next = TAILQ_FIRST(&residents);
		TAILQ_FOREACH (r, &residents, entry)
			if (r->due_ns < next->due_ns)
				next = r;
		wait_ns = 1000000000;
		if (next != NULL && next->due_ns != INT64_MAX)
			wait_ns = next->due_ns - now_ns();
		if (wait_ns <= 0)
			act(next);
		else if (next_message(&m, (int)(wait_ns / 1000000) + 1) &&
			 handlers[m.subject] != NULL)
			handlers[m.subject](&m);
	}
}
