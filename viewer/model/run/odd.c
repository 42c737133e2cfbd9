/*
 * What of a log makes no sense, and is left out.
 *
 * A log may be damaged, or made by somebody who means harm: frames that come
 * in another order, twice, or not at all, or that refer to what was never
 * defined.  Whoever meets such a thing leaves it out and notes it here; how
 * often that was, and what and where the first one is, is what is told.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "log/tracefile.h"
#include "message.h"
#include "model/run/inside.h"

static const char *const odds[ODDS] = {
	[ODD_FRAME] = "a frame that cannot be read, type",
	[ODD_NUMBER] = "a number that is too high for this log,",
	[ODD_KIND] = "a kind of event that cannot be,",
	[ODD_TIME] = "a time that is years from all others, in a frame of type",
	[ODD_SEGMENT] = "the clock of a node that is not defined,",
	[ODD_NODE] = "what happened to a node that cannot be,",
	[ODD_LOCATION] = "events of a thread that is not defined,",
};

void
odd_note(struct model *m, enum odd what, uint32_t number)
{
	uint64_t n =
	    atomic_load_explicit(&facts_of(m)->odd.n, memory_order_relaxed);

	if (fetched_of(m)->whole != NULL)
		return; /* it was noted when the whole was read */
	if (n == 0) {
		facts_of(m)->odd.what = (uint8_t)what;
		facts_of(m)->odd.number = number;
		facts_of(m)->odd.offset =
		    facts_of(m)->log_bytes - facts_of(m)->frame_bytes;
	}
	atomic_store_explicit(&facts_of(m)->odd.n, n + 1, memory_order_release);
}

bool
number_is_possible(const struct model *m, uint32_t number)
{
	return (number <= tracefile_number_max(facts_of(m)->log_bytes));
}

bool
node_is_possible(const struct model *m, uint32_t node)
{
	return (node <= NODES_MAX &&
		node <= facts_of(m)->log_bytes / 16 + NODES_LACKING);
}

bool
block_is_possible(struct model *m, const struct msg_block *b)
{
	if (b->events > BLOCK_EVENTS_MAX)
		odd_note(m, ODD_FRAME, MSG_block);
	else if (!time_is_near(b->first_mon_ns) ||
		 !time_is_near(b->last_mon_ns))
		odd_note(m, ODD_TIME, MSG_block);
	else
		return (true);
	errno = EINVAL;
	return (false);
}

bool
model_odd(const struct model *m, char *buf, size_t n)
{
	uint64_t all =
	    atomic_load_explicit(&facts_of(m)->odd.n, memory_order_acquire);

	if (n > 0)
		buf[0] = '\0';
	if (all == 0)
		return (false);
	snprintf(buf, n,
	    "makes no sense in %" PRIu64 " place%s, which %s left out; the "
	    "first, at byte %" PRIu64 ": %s %" PRIu32,
	    all, all == 1 ? "" : "s", all == 1 ? "is" : "are",
	    facts_of(m)->odd.offset, odds[facts_of(m)->odd.what],
	    facts_of(m)->odd.number);
	return (true);
}
