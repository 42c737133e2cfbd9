/* What monitord has been told to do. */
#ifndef MONITORD_SETTINGS_H
#define MONITORD_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "env.h"

struct core_settings {
	const char *log_path;
	const char *run_name;
	const char *const *listen; /* addresses, as env.h has them */
	size_t nlisten;
	const char *const *nodes; /* those that are expected */
	size_t nnodes;
	const char *choice; /* rules of what is recorded, or NULL */
	bool open;          /* others may join */
	bool pings_only;    /* messages do not tighten the clocks */
	int64_t rest_ns;    /* see rest.c; 0: CORE_REST_NS */
};
#define CORE_REST_NS (5 * ENV_SEC) /* of quiet before it */

#endif
