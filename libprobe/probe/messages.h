/* Part of probe.h: messages, collective operations, remote calls. */
#ifndef PROBE_MESSAGES_H
#define PROBE_MESSAGES_H

/*
 * Messages.  The sender makes the id and sends it along; the receiver says it
 * again.  size in bytes; tag is any number, 0 if there is none.
 */

/* A message leaves: call it just before it is handed to the transport. */
PROBE_INLINE void
probe_send(uint64_t message, uint64_t size_bytes, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_send, tag, message,
	    size_bytes);
}

/* A message has been taken: call it just after. */
PROBE_INLINE void
probe_receive(uint64_t message, uint64_t size_bytes, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_receive, tag, message,
	    size_bytes);
}

/*
 * Starts to wait for a message (0: any); probe_receive() ends it, or
 * probe_receive_giveup().
 */
PROBE_INLINE void
probe_receive_wait(uint64_t message, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_receive_wait, tag, message,
	    0);
}

/* The wait is over, and no message was got. */
PROBE_INLINE void
probe_receive_giveup(uint64_t message, uint32_t tag)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_receive_giveup, tag, message,
	    0);
}

/*
 * Collective operations (barriers, reductions and the like across processes).
 * All parties use the same id and, the n-th time, the same turn n, from 1.
 */
PROBE_INLINE void
probe_collective_enter(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_collective_enter, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_collective_leave(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_collective_leave, parties,
	    collective, turn);
}

/*
 * Collective operations in which not everybody waits for everybody.  All say
 * probe_rooted_enter() first.  A broadcast: the root says probe_rooted_give()
 * before it and probe_rooted_leave() behind it, the others probe_rooted_get()
 * behind it.  A reduction to one: all say probe_rooted_part() before it, the
 * root probe_rooted_whole() and the others probe_rooted_leave() behind it.
 */
PROBE_INLINE void
probe_rooted_enter(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_enter, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_give(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_give, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_get(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_get, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_part(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_part, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_whole(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_whole, parties,
	    collective, turn);
}

PROBE_INLINE void
probe_rooted_leave(uint64_t collective, uint64_t turn, uint32_t parties)
{
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_rooted_leave, parties,
	    collective, turn);
}

/*
 * Remote procedure calls in their four moments; the id travels with the call.
 * size in bytes of what travels then.
 */

/* The call leaves the caller. */
PROBE_INLINE void
probe_rpc_call(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_call, procedure, rpc,
	    size_bytes);
}

/* The callee starts on it. */
PROBE_INLINE void
probe_rpc_begin(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_begin, procedure, rpc,
	    size_bytes);
}

/* The callee has answered. */
PROBE_INLINE void
probe_rpc_end(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_end, procedure, rpc,
	    size_bytes);
}

/* The answer is back at the caller. */
PROBE_INLINE void
probe_rpc_return(uint64_t rpc, uint64_t size_bytes, uint32_t procedure)
{
	PROBE_EVENT(PROBE_CLASS_rpc, 0, PROBE_rpc_return, procedure, rpc,
	    size_bytes);
}

#endif
