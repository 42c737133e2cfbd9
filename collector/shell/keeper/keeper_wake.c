/*
 * Processes without a collector are told of a new one, by their wake pages.
 */
#include "wake.h"

#include "collector/shell/self/options.h"
#include "keeper_inside.h"

static void
set_all(const char *runtime, uint32_t mask)
{
	struct stat dir;

	if (stat(runtime, &dir) == 0)
		wake_set(&dir, mask);
}

void
keeper_wake(const struct keeper *k)
{
	set_all(k->opt->runtime, ~0u);
}

void
keeper_wake_end(const struct keeper *k)
{
	set_all(k->opt->runtime, 0);
}
