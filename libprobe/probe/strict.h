/* Part of probe.h: what looks like a name or a number and is none. */
#ifndef PROBE_STRICT_H
#define PROBE_STRICT_H

/*
 * What would become a number without a word in C: the address of a string, or
 * what is before the point of a fraction.  Neither has an |.  In C++ the former
 * is an error anyway.
 */
/* clang-format off */
#ifndef __cplusplus
#define PROBE_NUMBER(number) ((number) | 0)
#define probe_thread_create(name) (probe_thread_create)(PROBE_NUMBER(name))
#define probe_thread_begin(creation, name) \
	(probe_thread_begin)(creation, PROBE_NUMBER(name))
#define probe_task_spawn(task, parent, name) \
	(probe_task_spawn)(task, parent, PROBE_NUMBER(name))
#define probe_task_begin(task, pe, name) \
	(probe_task_begin)(task, pe, PROBE_NUMBER(name))
#define probe_task_resume(task, pe, name) \
	(probe_task_resume)(task, pe, PROBE_NUMBER(name))
#define probe_block_begin(block, width, name) \
	(probe_block_begin)(block, width, PROBE_NUMBER(name))
#define probe_member_begin(block, member, name) \
	(probe_member_begin)(block, member, PROBE_NUMBER(name))
#define probe_enter(address, name) (probe_enter)(address, PROBE_NUMBER(name))
#define probe_leave(address, name) (probe_leave)(address, PROBE_NUMBER(name))
#define probe_rpc_call(rpc, size, name) \
	(probe_rpc_call)(rpc, size, PROBE_NUMBER(name))
#define probe_rpc_begin(rpc, size, name) \
	(probe_rpc_begin)(rpc, size, PROBE_NUMBER(name))
#define probe_rpc_end(rpc, size, name) \
	(probe_rpc_end)(rpc, size, PROBE_NUMBER(name))
#define probe_rpc_return(rpc, size, name) \
	(probe_rpc_return)(rpc, size, PROBE_NUMBER(name))
#define probe_lock_wait(lock, name) (probe_lock_wait)(lock, PROBE_NUMBER(name))
#define probe_lock_acquire(lock, turn, name) \
	(probe_lock_acquire)(lock, turn, PROBE_NUMBER(name))
#define probe_lock_release(lock, turn, name) \
	(probe_lock_release)(lock, turn, PROBE_NUMBER(name))
#define probe_cond_wait(condition, name) \
	(probe_cond_wait)(condition, PROBE_NUMBER(name))
#define probe_cond_wake(condition, turn, name) \
	(probe_cond_wake)(condition, turn, PROBE_NUMBER(name))
#define probe_cond_signal(condition, turn, name) \
	(probe_cond_signal)(condition, turn, PROBE_NUMBER(name))
#define probe_sem_wait(semaphore, name) \
	(probe_sem_wait)(semaphore, PROBE_NUMBER(name))
#define probe_sem_acquire(semaphore, turn, name) \
	(probe_sem_acquire)(semaphore, turn, PROBE_NUMBER(name))
#define probe_sem_post(semaphore, turn, name) \
	(probe_sem_post)(semaphore, turn, PROBE_NUMBER(name))
#define probe_object_request(creator, request, name) \
	(probe_object_request)(creator, request, PROBE_NUMBER(name))
#define probe_object_create(object, request, name) \
	(probe_object_create)(object, request, PROBE_NUMBER(name))
#define probe_object_order(object, order, name) \
	(probe_object_order)(object, order, PROBE_NUMBER(name))
#define probe_object_obey(object, order, name) \
	(probe_object_obey)(object, order, PROBE_NUMBER(name))
#define probe_object_depart(object, hop, name) \
	(probe_object_depart)(object, hop, PROBE_NUMBER(name))
#define probe_object_arrive(object, hop, name) \
	(probe_object_arrive)(object, hop, PROBE_NUMBER(name))
#define probe_object_nickname(object, name) \
	(probe_object_nickname)(object, PROBE_NUMBER(name))
#define probe_object_wait(object, name) \
	(probe_object_wait)(object, PROBE_NUMBER(name))
#define probe_object_pause(object, name) \
	(probe_object_pause)(object, PROBE_NUMBER(name))
#define probe_mem_alloc(address, size, name) \
	(probe_mem_alloc)(address, size, PROBE_NUMBER(name))
#define probe_mem_free(address, name) \
	(probe_mem_free)(address, PROBE_NUMBER(name))
#define probe_phase_begin(name) (probe_phase_begin)(PROBE_NUMBER(name))
#define probe_phase_end(name, units) \
	(probe_phase_end)(PROBE_NUMBER(name), units)
#define probe_counter(name, value) \
	(probe_counter)(PROBE_NUMBER(name), PROBE_NUMBER(value))
#define probe_counter_real(name, value) \
	(probe_counter_real)(PROBE_NUMBER(name), value)
#define probe_state(name) (probe_state)(PROBE_NUMBER(name))
#define probe_note(name, value) \
	(probe_note)(PROBE_NUMBER(name), PROBE_NUMBER(value))
#define probe_sample(address, cpu_ns, name) \
	(probe_sample)(address, cpu_ns, PROBE_NUMBER(name))
#elif __cplusplus >= 201103L
extern "C++" {
template <class T> struct probe_is_real {};
template <> struct probe_is_real<float> { typedef void type; };
template <> struct probe_is_real<double> { typedef void type; };
template <> struct probe_is_real<long double> { typedef void type; };
/* probe_counter_real() takes these */
template <class T> typename probe_is_real<T>::type
probe_counter(uint32_t, T) = delete;
template <class T> typename probe_is_real<T>::type
probe_note(uint32_t, T) = delete;
}
#endif
/* clang-format on */

#endif
