/*
 * The closure of three vectors under multiplication, as a task program
 * (tasks.h).
 *
 * A vector has 40 elements of the semigroup {1..5} whose products are all 1
 * but for eight; vectors are multiplied element by element.  Whatever is new
 * is multiplied with the three kernel vectors, until nothing new comes: 54
 * vectors, 162 products.
 *
 * What is known stands in a binary tree of buckets.  A bucket is a process: a
 * chain of tasks, one for each message that it takes from its stream.  It
 * answers, or passes the message on to a bucket below it.  The tasks of a
 * bucket are called e while it is empty, then t, tl, tr or tlr for the buckets
 * below it that there are.
 *
 *	go, semigroup	begin
 *	kernel(i)	message i is kernel vector i; prefilter(i), kernel(i+1)
 *	table		the tree's first bucket
 *	prefilter(n)	waits for the answer to message n; if new, gen
 *	gen(v)		g(v,0)
 *	g(v,i)		message n = v * k(i): mult3(n), prefilter(n), g(v,i+1)
 *	mult3, mult6	40 elements one after another, each by an m; the
 *			product becomes message n
 *	finish		when nothing is new any more: messages `out` and `end`
 *
 * Messages are numbered breadth first, so that the tree of tasks is the same
 * however many PEs there are: 15,419 tasks on 174 levels.  Most of them are
 * the spokes of the picture: 162 multiplications of 82 tasks on 42 levels.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "tasks.h"

#define ELEMENTS 40
#define KERNEL   3
#define VECTORS  54
#define INSERTS  (KERNEL + KERNEL * VECTORS)
#define MESSAGES (INSERTS + 2) /* and out, end */

static const char kernel_text[KERNEL][ELEMENTS + 1] = {
	"3114532254534534135244433523111114125111",
	"2335113133352345544311211113133121531525",
	"2554223134331144541555344315223455325141",
};

struct vector {
	uint8_t element[ELEMENTS];
	int32_t key;
};

/* A stream is a list of cells; what is in one is a future. */
enum what {
	INSERT,
	OUT,
	END
};
struct cell {
	struct future there;
	enum what what;
	int n; /* number of an inserted vector's message */
	struct cell *next;
};

struct bucket {
	const struct vector *vector; /* NULL: empty */
	struct bucket *left, *right;
	struct cell *first, *last; /* the next to take; the next to fill */
};

/* What becomes of message n. */
static struct product {
	struct vector vector;
	struct future elements; /* ELEMENTS are missing */
	struct future answer;
	struct future counted; /* all that are new up to this one are known */
	bool new;
} product[INSERTS];

static struct vector kernel_vector[KERNEL];
static int message_of[VECTORS], vectors; /* known so far */
static struct cell stream[MESSAGES + 1]; /* of the first bucket */
static struct bucket *root;
static struct future all_out; /* every bucket has said its vector */

static procedure_run go, semigroup, kernel, table, prefilter, gen, g, mult3,
    mult6, m, finish, bucket;

enum {
	GO,
	SEMIGROUP,
	KERNEL_,
	TABLE,
	PREFILTER,
	GEN,
	G,
	MULT3,
	MULT6,
	M,
	FINISH,
	E,
	T,
	TL,
	TR,
	TLR,
	PROCEDURES
};
static struct procedure procedures[PROCEDURES] = {
	[GO] = { "go", go, 0 },
	[SEMIGROUP] = { "semigroup", semigroup, 0 },
	[KERNEL_] = { "kernel", kernel, 0 },
	[TABLE] = { "table", table, 0 },
	[PREFILTER] = { "prefilter", prefilter, 0 },
	[GEN] = { "gen", gen, 0 },
	[G] = { "g", g, 0 },
	[MULT3] = { "mult3", mult3, 0 },
	[MULT6] = { "mult6", mult6, 0 },
	[M] = { "m", m, 0 },
	[FINISH] = { "finish", finish, 0 },
	[E] = { "e", bucket, 0 },
	[T] = { "t", bucket, 0 },
	[TL] = { "tl", bucket, 0 },
	[TR] = { "tr", bucket, 0 },
	[TLR] = { "tlr", bucket, 0 },
};

/* The product of two elements. */
static uint8_t
times(uint8_t a, uint8_t b)
{
	static const uint8_t of[6][6] = {
		[2] = { [2] = 2, [4] = 4 },
		[3] = { [3] = 3, [5] = 5 },
		[4] = { [3] = 4, [5] = 2 },
		[5] = { [2] = 5, [4] = 3 },
	};

	return (of[a][b] != 0 ? of[a][b] : 1);
}

/* Elements as digits, wrapped to 32 bits. */
static int32_t
key_of(const uint8_t *element)
{
	uint32_t key = 0;

	for (int j = 0; j < ELEMENTS; j++)
		key = key * 3 + element[j];
	return ((int32_t)key);
}

static int
compare(const struct vector *a, const struct vector *b)
{
	if (a->key != b->key)
		return (a->key < b->key ? -1 : 1);
	return (memcmp(a->element, b->element, ELEMENTS));
}

static void
call(struct pe *pe, int procedure, int n, int i, void *what)
{
	spawn(pe, &procedures[procedure],
	    (struct task){ .k = n, .i = i, .what = what });
}

/* Message n, a vector to be inserted, is there. */
static void
send_vector(struct pe *pe, int n)
{
	product[n].vector.key = key_of(product[n].vector.element);
	stream[n].what = INSERT;
	stream[n].n = n;
	future_set(pe, &stream[n].there);
}

/* The procedures. */

static bool
go(struct pe *pe, struct task *t)
{
	(void)t;
	call(pe, SEMIGROUP, 0, 0, NULL);
	return (true);
}

static bool
semigroup(struct pe *pe, struct task *t)
{
	(void)t;
	call(pe, KERNEL_, 0, 0, NULL);
	return (true);
}

static bool
kernel(struct pe *pe, struct task *t)
{
	if (t->i == KERNEL) {
		call(pe, TABLE, 0, 0, NULL);
		return (true);
	}
	product[t->i].vector = kernel_vector[t->i];
	send_vector(pe, t->i);
	call(pe, PREFILTER, t->i, 0, NULL);
	call(pe, KERNEL_, 0, t->i + 1, NULL);
	return (true);
}

static struct bucket *
bucket_new(struct cell *first)
{
	struct bucket *b = calloc(1, sizeof(*b));

	if (b == NULL)
		err(EX_OSERR, "bucket");
	b->first = b->last = first;
	return (b);
}

static bool
table(struct pe *pe, struct task *t)
{
	(void)t;
	root = bucket_new(stream);
	call(pe, E, 0, 0, root);
	return (true);
}

/* The answers are taken in the order of the messages. */
static bool
prefilter(struct pe *pe, struct task *t)
{
	struct product *p = &product[t->k];

	if (t->have == 0 && !await(pe, t, &p->answer))
		return (false);
	t->have = 1;
	if (t->k > 0 && !await(pe, t, &product[t->k - 1].counted))
		return (false);
	if (p->new &&vectors < VECTORS) {
		message_of[vectors] = t->k;
		call(pe, GEN, vectors++, 0, NULL);
	}
	if (t->k + 1 == KERNEL + KERNEL * vectors)
		call(pe, FINISH, t->k + 1, 0, NULL);
	future_set(pe, &p->counted);
	return (true);
}

static bool
gen(struct pe *pe, struct task *t)
{
	call(pe, G, t->k, 0, NULL);
	return (true);
}

static bool
g(struct pe *pe, struct task *t)
{
	int n = KERNEL + KERNEL * t->k + t->i;

	if (t->i == KERNEL)
		return (true);
	call(pe, MULT3, n, 0, NULL);
	call(pe, PREFILTER, n, 0, NULL);
	call(pe, G, t->k, t->i + 1, NULL);
	return (true);
}

static bool
mult3(struct pe *pe, struct task *t)
{
	call(pe, MULT6, t->k, 0, NULL);
	return (true);
}

static bool
mult6(struct pe *pe, struct task *t)
{
	if (t->i == ELEMENTS) {
		if (!await(pe, t, &product[t->k].elements))
			return (false);
		send_vector(pe, t->k);
		return (true);
	}
	call(pe, M, t->k, t->i, NULL);
	call(pe, MULT6, t->k, t->i + 1, NULL);
	return (true);
}

static bool
m(struct pe *pe, struct task *t)
{
	int of = message_of[(t->k - KERNEL) / KERNEL];
	int by = (t->k - KERNEL) % KERNEL;

	product[t->k].vector.element[t->i] =
	    times(product[of].vector.element[t->i],
		kernel_vector[by].element[t->i]);
	future_set(pe, &product[t->k].elements);
	return (true);
}

static bool
finish(struct pe *pe, struct task *t)
{
	if (t->have++ == 0) {
		stream[t->k].what = OUT;
		stream[t->k + 1].what = END;
		future_set(pe, &stream[t->k].there);
		future_set(pe, &stream[t->k + 1].there);
	}
	return (await(pe, t, &all_out));
}

static struct cell *
cell_new(void)
{
	struct cell *c = calloc(1, sizeof(*c));

	if (c == NULL)
		err(EX_OSERR, "stream");
	future_init(&c->there, 1);
	return (c);
}

/* Those of the first bucket's stream are not on the heap. */
static void
cell_free(struct cell *c)
{
	if (c < stream || c > stream + MESSAGES)
		free(c);
}

/* Puts a message into a bucket's stream; makes the bucket if need be. */
static void
pass(struct pe *pe, struct bucket **to, const struct cell *message)
{
	struct cell *c;

	if (*to == NULL) {
		*to = bucket_new(cell_new());
		call(pe, E, 0, 0, *to);
	}
	c = (*to)->last;
	c->what = message->what;
	c->n = message->n;
	c->next = (*to)->last = cell_new();
	future_set(pe, &c->there);
}

static void
insert(struct pe *pe, struct bucket *b, const struct cell *message)
{
	struct product *p = &product[message->n];
	int side = b->vector == NULL ? 0 : compare(&p->vector, b->vector);

	if (side != 0) {
		pass(pe, side < 0 ? &b->left : &b->right, message);
		return;
	}
	p->new = b->vector == NULL;
	if (p->new)
		b->vector = &p->vector;
	future_set(pe, &p->answer);
}

static int
state_of(const struct bucket *b)
{
	return (T + (b->left != NULL ? 1 : 0) + (b->right != NULL ? 2 : 0));
}

/* One message; the next one is for the next task of the chain. */
static bool
bucket(struct pe *pe, struct task *t)
{
	struct bucket *b = t->what;
	struct cell *c = b->first;

	if (!await(pe, t, &c->there))
		return (false);
	b->first = c->next;
	if (c->what == INSERT) {
		insert(pe, b, c);
	} else {
		if (c->what == OUT)
			future_set(pe, &all_out);
		if (b->left != NULL)
			pass(pe, &b->left, c);
		if (b->right != NULL)
			pass(pe, &b->right, c);
	}
	if (c->what != END)
		call(pe, state_of(b), 0, 0, b);
	else
		cell_free(b->first);
	cell_free(c);
	return (true);
}

static void
begin(void)
{
	for (int i = 0; i < KERNEL; i++) {
		for (int j = 0; j < ELEMENTS; j++)
			kernel_vector[i].element[j] =
			    (uint8_t)(kernel_text[i][j] - '0');
		kernel_vector[i].key = key_of(kernel_vector[i].element);
	}
	for (int n = 0; n < INSERTS; n++) {
		future_init(&product[n].elements, ELEMENTS);
		future_init(&product[n].answer, 1);
		future_init(&product[n].counted, 1);
	}
	for (int i = 0; i <= MESSAGES; i++) {
		future_init(&stream[i].there, 1);
		stream[i].next = i < MESSAGES ? &stream[i + 1] : NULL;
	}
	future_init(&all_out, VECTORS);
}

/* The same without tasks; returns how many there are. */
static int
expected(struct vector *known)
{
	struct vector v;
	int n = 0, k;

	for (int i = 0; i < KERNEL + KERNEL * n; i++) {
		for (int j = 0; j < ELEMENTS; j++)
			v.element[j] =
			    i < KERNEL
				? kernel_vector[i].element[j]
				: times(known[i / KERNEL - 1].element[j],
				      kernel_vector[i % KERNEL].element[j]);
		v.key = key_of(v.element);
		for (k = 0; k < n && compare(&known[k], &v) != 0; k++)
			;
		if (k < n)
			continue;
		if (n == VECTORS)
			return (n + 1);
		known[n++] = v;
	}
	return (n);
}

/* The tree from left to right; prints keys, returns how many are in order. */
static int
walk(const struct bucket *b, const struct vector **last)
{
	int n;

	if (b == NULL)
		return (0);
	n = walk(b->left, last);
	printf(" %d", b->vector->key);
	n += *last == NULL || compare(*last, b->vector) < 0;
	*last = b->vector;
	return (n + walk(b->right, last));
}

/* Prints the vectors' keys and who found them; false: they are wrong. */
static bool
report(void)
{
	static struct vector known[VECTORS];
	const struct vector *last = NULL;
	int right = 0, n = expected(known);

	printf("keys:");
	n -= walk(root, &last);
	for (int i = 0; i < vectors; i++)
		right +=
		    compare(&known[i], &product[message_of[i]].vector) == 0;
	printf("\nvectors %d, products %d\n", vectors, KERNEL * vectors);
	tasks_report();
	if (n == 0 && right == VECTORS)
		return (true);
	warnx("the vectors are wrong");
	return (false);
}

static _Noreturn void
usage(int code)
{
	fprintf(code == 0 ? stdout : stderr,
	    "usage: semigroup [--pes P] [--spin ITER] [--pace MS]\n"
	    "Multiplies three vectors until nothing new comes.\n" TASKS_USAGE);
	exit(code);
}

int
main(int argc, char **argv)
{
	pace_ms = 1;
	if (tasks_options(argc, argv, usage) < argc)
		usage(EX_USAGE);
	begin();
	tasks_run(procedures, PROCEDURES, &procedures[GO]);
	return (report() ? 0 : EX_SOFTWARE);
}
