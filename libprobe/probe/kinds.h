/* Part of probe.h: classes and kinds of events, by their numbers. */
#ifndef PROBE_KINDS_H
#define PROBE_KINDS_H

/* clang-format off */

/* What can be switched on and off together. */
enum probe_class {
	PROBE_CLASS_life, PROBE_CLASS_task, PROBE_CLASS_block,
	PROBE_CLASS_call, PROBE_CLASS_message, PROBE_CLASS_rpc,
	PROBE_CLASS_lock, PROBE_CLASS_object, PROBE_CLASS_memory,
	PROBE_CLASS_phase, PROBE_CLASS_note, PROBE_CLASS_monitor,
	PROBE_CLASS_sample,
	PROBE_CLASSES
};

/* The kinds of events; probe(3) has them all, with their fields. */
enum probe_kind {
	PROBE_thread_begin = 3, PROBE_thread_end, PROBE_thread_create,
	PROBE_thread_wait, PROBE_thread_join, PROBE_thread_name,
	PROBE_task_spawn = 10, PROBE_task_begin, PROBE_task_suspend,
	PROBE_task_resume, PROBE_task_end, PROBE_task_join,
	PROBE_future_set, PROBE_future_get,
	PROBE_block_begin = 20, PROBE_block_end, PROBE_member_begin,
	PROBE_member_end,
	PROBE_enter = 30, PROBE_leave,
	PROBE_send = 40, PROBE_receive, PROBE_receive_wait,
	PROBE_receive_giveup,
	PROBE_collective_enter = 50, PROBE_collective_leave,
	PROBE_rooted_enter, PROBE_rooted_give, PROBE_rooted_get,
	PROBE_rooted_part, PROBE_rooted_whole, PROBE_rooted_leave,
	PROBE_rpc_call = 60, PROBE_rpc_begin, PROBE_rpc_end,
	PROBE_rpc_return,
	PROBE_lock_wait = 70, PROBE_lock_acquire, PROBE_lock_release,
	PROBE_cond_wait, PROBE_cond_wake, PROBE_cond_signal,
	PROBE_sem_wait, PROBE_sem_acquire, PROBE_sem_post,
	PROBE_barrier_enter, PROBE_barrier_leave, PROBE_lock_giveup,
	PROBE_lock_taken, PROBE_sem_passed, PROBE_sem_posted,
	PROBE_cond_signalled,
	PROBE_object_request = 90, PROBE_object_create,
	PROBE_object_order, PROBE_object_obey, PROBE_object_depart,
	PROBE_object_arrive, PROBE_object_dispose,
	PROBE_mem_alloc = 100, PROBE_mem_free, PROBE_mem_given,
	PROBE_mem_sample, PROBE_heap_made, PROBE_heap_asked,
	PROBE_heap_freed, PROBE_heap_mapped, PROBE_mem_code,
	PROBE_phase_begin = 110, PROBE_phase_end,
	PROBE_counter = 120, PROBE_state, PROBE_note, PROBE_sample,
	PROBE_counter_real, PROBE_measure, PROBE_own, PROBE_own_more,
	PROBE_io_wait = 150, PROBE_io_done, PROBE_system_wait,
	PROBE_system_done, PROBE_stream_gap,
	PROBE_object_nickname = 160, PROBE_object_orders,
	PROBE_object_wait, PROBE_object_go,
	PROBE_muted = 171
};
/* clang-format on */

#endif
