/* What the second libprobe of a process finds of the first (first.h). */
#include "first.h"

#include "choice.h"

const struct probe_first probe_first = {
	.name_at = probe_name_at,
	.id = probe_id,
	.message_id = probe_message_id,
	.attached = probe_attached,
	.po = probe_po,
	.node = probe_node,
	.node_name = probe_node_name,
	.thread_name = probe_thread_name,
	.thread_begin = probe_thread_begin,
	.mute = choice_mute,
	.stop = choice_stop,
	.flush = probe_flush,
	.declare = probe_declare,
};
extern const struct probe_first first_own
    __attribute__((alias("probe_first"), visibility("hidden")));
