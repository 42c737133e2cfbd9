/*
 * Orders to buy and to sell are matched, first come, first served, in a program
 * that knows nothing of Orrery: in four ways, each of which mends what the one
 * before it shows.
 *
 *	trading [version]
 *
 *	1  two clerks for each market take the newest order that waits: of
 *	   two that come at once the later one is served first
 *	2  each asks again and again whether it is the turn of its order,
 *	   which is right, and most of what is called
 *	3  each takes the oldest order, and nobody has to ask; what a share
 *	   is worth all look up in one book, one after the other
 *	4  each market has a book of its own
 *
 * Of 40 orders, four at a time for two markets, 20 are overtaken in version 1
 * and none in the others; in all of them 280 shares change hands.  With the
 * compiler switch of calltree.c take is called 44 times, serve, match and
 * look_up 40 times, and is_turn in version 2 as often as the program says: 60
 * times at least.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "arguments.h"

#define MARKETS 2
#define CLERKS  2 /* of each market */
#define BATCH   4
#define BATCHES 10
#define ORDERS  (BATCH * BATCHES)

struct order {
	int number; /* in its market, from 0 */
	int shares; /* to buy, or to sell if it is negative */
};

struct book {
	pthread_mutex_t mutex;
	int worth[MARKETS];
};

static struct market {
	pthread_mutex_t mutex;
	pthread_cond_t news;
	struct order waiting[BATCH];
	int waits, busy, closed;
	int arrived, served, last, overtaken, asked;
	int open, traded, worth; /* shares that found nobody; that changed
				    hands, and for how much */
	struct book own;
} markets[MARKETS];

static struct book office = { PTHREAD_MUTEX_INITIALIZER, { 7, 11 } };
static int version = 4;

static void
pause_us(long us)
{
	nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

/* It is called with the market's mutex. */
static int
is_turn(struct market *m, const struct order *o)
{
	m->asked++;
	return (o->number == m->served);
}

/* An order that waits, or 0 if there will be none. */
static int
take(struct market *m, struct order *o)
{
	int at;

	while (m->waits == 0 && !m->closed)
		pthread_cond_wait(&m->news, &m->mutex);
	if (m->waits == 0)
		return (0);
	at = version < 3 ? m->waits - 1 : 0;
	*o = m->waiting[at];
	m->waits--;
	for (int i = at; i < m->waits; i++)
		m->waiting[i] = m->waiting[i + 1];
	m->busy++;
	return (1);
}

static void
wait_for_turn(struct market *m, const struct order *o)
{
	while (!is_turn(m, o)) {
		pthread_mutex_unlock(&m->mutex);
		pause_us(20);
		pthread_mutex_lock(&m->mutex);
	}
}

static int
look_up(struct market *m)
{
	struct book *b = version < 4 ? &office : &m->own;
	int worth;

	pthread_mutex_lock(&b->mutex);
	pause_us(100);
	worth = b->worth[m - markets];
	pthread_mutex_unlock(&b->mutex);
	return (worth);
}

/* With those of the other kind that wait; the rest waits. */
static int
match(struct market *m, int shares)
{
	int open = m->open, other = shares < 0 ? -shares : shares;

	m->open += shares;
	if ((open < 0) == (shares < 0) || open == 0)
		return (0);
	open = open < 0 ? -open : open;
	return (open < other ? open : other);
}

/* Whose turn it is has the market for itself, locked or not. */
static void
serve(struct market *m, const struct order *o)
{
	int worth, n;

	if (version == 2)
		pthread_mutex_unlock(&m->mutex);
	worth = look_up(m);
	if (version == 2)
		pthread_mutex_lock(&m->mutex);
	n = match(m, o->shares);
	m->traded += n;
	m->worth += n * worth;
	m->overtaken += o->number < m->last;
	m->last = o->number > m->last ? o->number : m->last;
	m->served++;
	m->busy--;
	pthread_cond_broadcast(&m->news);
}

static void *
clerk(void *arg)
{
	struct market *m = arg;
	struct order o;

	pthread_setname_np(pthread_self(),
	    m == markets ? "clerk A" : "clerk B");
	pthread_mutex_lock(&m->mutex);
	while (take(m, &o)) {
		if (version == 2)
			wait_for_turn(m, &o);
		serve(m, &o);
	}
	pthread_mutex_unlock(&m->mutex);
	return (NULL);
}

static void
copy_book(struct market *m)
{
	m->own = (struct book){ PTHREAD_MUTEX_INITIALIZER, { 0 } };
	for (int i = 0; i < MARKETS; i++)
		m->own.worth[i] = office.worth[i];
}

/* The orders of a batch come to a market at once. */
static void
send_batch(int batch)
{
	struct market *m;

	for (m = markets; m < markets + MARKETS; m++) {
		pthread_mutex_lock(&m->mutex);
		for (int i = 0; i < BATCH / MARKETS; i++)
			m->waiting[m->waits++] = (struct order){ m->arrived++,
				i == 0 ? -14 : batch + 10 };
		pthread_cond_broadcast(&m->news);
		pthread_mutex_unlock(&m->mutex);
	}
	for (m = markets; m < markets + MARKETS; m++) {
		pthread_mutex_lock(&m->mutex);
		while (m->waits + m->busy > 0)
			pthread_cond_wait(&m->news, &m->mutex);
		pthread_mutex_unlock(&m->mutex);
	}
}

static void
close_market(struct market *m)
{
	pthread_mutex_lock(&m->mutex);
	m->closed = 1;
	pthread_cond_broadcast(&m->news);
	pthread_mutex_unlock(&m->mutex);
}

int
main(int argc, char **argv)
{
	pthread_t threads[MARKETS][CLERKS];
	int overtaken = 0, traded = 0, worth = 0, asked = 0;

	if (argc > 1)
		version = (int)number_arg("version", argv[1], 1, 4);
	for (int i = 0; i < MARKETS; i++) {
		pthread_mutex_init(&markets[i].mutex, NULL);
		pthread_cond_init(&markets[i].news, NULL);
		if (version == 4)
			copy_book(&markets[i]);
		for (int j = 0; j < CLERKS; j++)
			if (pthread_create(&threads[i][j], NULL, clerk,
				&markets[i]) != 0)
				errx(EX_OSERR, "no thread");
	}
	for (int i = 0; i < BATCHES; i++)
		send_batch(i);
	for (int i = 0; i < MARKETS; i++) {
		close_market(&markets[i]);
		for (int j = 0; j < CLERKS; j++)
			pthread_join(threads[i][j], NULL);
		overtaken += markets[i].overtaken;
		traded += markets[i].traded;
		worth += markets[i].worth;
		asked += markets[i].asked;
	}
	printf(
	    "version %d: orders %d, overtaken %d, traded %d for %d, asked %d\n",
	    version, ORDERS, overtaken, traded, worth, asked);
	return (0);
}
