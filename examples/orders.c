/*
 * Kinds of events of one's own: two tables say what an order and a delivery
 * are, and the viewer, dump, report, query and export know them by their names
 * and fields, with nothing built again.
 *
 *	orders [orders]
 *
 * Three clerks serve 60 orders, or so many: order n, from 1, is of the n % 3rd
 * client, for n % 5 + 1 pieces at 2.50 EUR each, and every 10th is also a
 * delivery that leaves n - 30 pieces in stock.  So of 60 there are 60 events
 * order with 180 pieces for 450 EUR, and 6 events delivery, whose stock is
 * between -20 and 30 and adds up to 30.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "probe.h"

#define CLERKS 3

/* clang-format off */
#define ORDER(FIELD)                                                           \
	FIELD(number, number, "")                                              \
	FIELD(client, name, "")                                                \
	FIELD(pieces, number, "")                                              \
	FIELD(price, real, "EUR")                                              \
	FIELD(took, ns, "")
#define DELIVERY(FIELD)                                                        \
	FIELD(stock, value, "pieces")
/* clang-format on */
PROBE_KIND(order, ORDER);
PROBE_KIND(delivery, DELIVERY);

static long orders = 60, taken;

static void
serve(long n)
{
	const uint32_t client[] = { PROBE_NAME("Ada"), PROBE_NAME("Blaise"),
		PROBE_NAME("Charles") };
	struct timespec t = { .tv_nsec = 100000 * (n % 5 + 1) };
	uint64_t pieces = (uint64_t)(n % 5 + 1);

	nanosleep(&t, NULL);
	PROBE_TELL(order, .number = (uint64_t)n, .client = client[n % 3],
	    .pieces = pieces, .price = 2.5 * (double)pieces,
	    .took = (uint64_t)t.tv_nsec);
	if (n % 10 == 0)
		PROBE_TELL(delivery, .stock = n - 30);
}

static void *
clerk(void *arg)
{
	long n;

	probe_thread_name(arg);
	while ((n = __atomic_add_fetch(&taken, 1, __ATOMIC_RELAXED)) <= orders)
		serve(n);
	return (NULL);
}

int
main(int argc, char **argv)
{
	static char name[CLERKS][8] = { "clerk 1", "clerk 2", "clerk 3" };
	pthread_t threads[CLERKS];

	if (argc > 1 && strcmp(argv[1], "--help") == 0) {
		puts("usage: orders [N]\nThree clerks serve N (60) orders.");
		return (0);
	}
	if (argc > 1)
		orders = number_arg("orders", argv[1], 1, 1000000);
	for (int i = 0; i < CLERKS; i++)
		if (pthread_create(&threads[i], NULL, clerk, name[i]) != 0)
			errx(EX_OSERR, "no thread");
	for (int i = 0; i < CLERKS; i++)
		pthread_join(threads[i], NULL);
	printf("orders %ld\n", orders);
	return (0);
}
