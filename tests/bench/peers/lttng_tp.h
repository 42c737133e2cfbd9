/* One tracepoint of LTTng-UST with the payload of probe_send(). */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER orrery_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_tp.h"

#if !defined(LTTNG_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_TP_H

#include <stdint.h>

#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(orrery_bench, send,
    LTTNG_UST_TP_ARGS(uint64_t, message, uint64_t, size_bytes, uint32_t, tag),
    LTTNG_UST_TP_FIELDS(
	lttng_ust_field_integer(uint64_t, message, message)
	lttng_ust_field_integer(uint64_t, size_bytes, size_bytes)
	lttng_ust_field_integer(uint32_t, tag, tag)
    ))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
