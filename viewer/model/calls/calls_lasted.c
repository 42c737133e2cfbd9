/* How long the calls of each function took that are within what is asked for.
 */
#include "model/calls/calls_inside.h"

#include <stdlib.h>

static struct durations *
lasted_of(struct calls *k, uint32_t function)
{
	if (k->lasted == NULL)
		k->lasted = calloc(k->rows, sizeof(struct durations *));
	if (k->lasted != NULL && k->lasted[function] == NULL)
		k->lasted[function] = calloc(1, sizeof(**k->lasted));
	if (k->lasted == NULL || k->lasted[function] == NULL)
		k->failed = true;
	return (k->failed ? NULL : k->lasted[function]);
}

void
calls_over(struct calls *k, uint32_t path, int64_t ns)
{
	const struct call *p = &k->path[path];
	struct durations *d;

	if (p->again || p->function == 0 || p->function >= k->rows)
		return;
	d = lasted_of(k, p->function);
	if (d != NULL && durations_add(d, ns, &k->bytes) == -1)
		k->failed = true;
}

void
calls_lasted_add(struct calls *k, const struct calls *from)
{
	struct durations *d;

	if (from->lasted == NULL)
		return;
	for (uint32_t i = 1; i < from->rows && i < k->rows; i++) {
		if (from->lasted[i] == NULL)
			continue;
		d = lasted_of(k, i);
		if (d == NULL ||
		    durations_add_all(d, from->lasted[i], &k->bytes) == -1) {
			k->failed = true;
			return;
		}
	}
}

void
calls_lasted_clear(struct calls *k)
{
	for (uint32_t i = 0; k->lasted != NULL && i < k->rows; i++)
		if (k->lasted[i] != NULL) {
			durations_clear(k->lasted[i]);
			free(k->lasted[i]);
		}
	free(k->lasted);
	k->lasted = NULL;
	k->bytes = 0;
}

const struct durations *
calls_durations(const struct calls *k, uint32_t number)
{
	return (
	    k->lasted == NULL || number >= k->rows ? NULL : k->lasted[number]);
}
