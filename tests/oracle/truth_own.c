/* The part of truth.c that declares kinds of events of its own. */
#include "tests/oracle/truth.h"

/* clang-format off */
#define ORDER(FIELD)                                                           \
	FIELD(number, id, "")                                                  \
	FIELD(client, name, "")                                                \
	FIELD(price, real, "EUR")                                              \
	FIELD(left, value, "pieces")                                           \
	FIELD(waited, ns, "")
#define TICK(FIELD) FIELD(turn, number, "") FIELD(odd, flag, "")
/* clang-format on */
PROBE_KIND(order, ORDER);
PROBE_KIND(tick, TICK);

void
own_all(void)
{
	const uint32_t client[] = { PROBE_NAME("Ada"), PROBE_NAME("Blaise"),
		0 };

	for (uint64_t i = 0; i < 20; i++) {
		PROBE_TELL(order, .number = 77 + i, .client = client[i % 3],
		    .price = (double)i / 3, .left = 10 - (int64_t)i,
		    .waited = i * i * 1000);
		truth_rest(100000);
		PROBE_TELL(tick, i, i % 2 == 1);
	}
}
