/* Part of probe.h with -DPROBE_OFF: the same calls, and nothing happens. */
#ifndef PROBE_OFF_H
#define PROBE_OFF_H

#define PROBE_INSIDE static inline __attribute__((always_inline, unused))
#define PROBE_INLINE PROBE_INSIDE
#define PROBE_EVENT(class_, hard_, kind_, c_, a_, b_)                          \
	((void)(c_), (void)(a_), (void)(b_))
#define PROBE_NAME(literal)      ((void)("" literal), 0u)
#define PROBE_NAME_HERE(literal) ((void)("" literal), 0u)
#define PROBE_FUNCTION()         (0u)
#define PROBE_CACHED(look_up)    (0u)

PROBE_INLINE uint32_t
probe_name(const char *text)
{
	(void)text;
	return (0);
}

PROBE_INLINE uint32_t
probe_name_at(const char *text, const char *file, uint32_t line)
{
	(void)text;
	(void)file;
	(void)line;
	return (0);
}

PROBE_INLINE uint32_t
probe_name_function(const char *pretty, const char *file, uint32_t line)
{
	(void)pretty;
	(void)file;
	(void)line;
	return (0);
}

PROBE_INLINE uint64_t
probe_id(void)
{
	return (0);
}

PROBE_INLINE uint64_t
probe_message_id(void)
{
	return (0);
}

PROBE_INLINE int
probe_attached(void)
{
	return (0);
}

PROBE_INLINE uint32_t
probe_po(void)
{
	return (0);
}

PROBE_INLINE uint32_t
probe_node(void)
{
	return (0);
}

PROBE_INLINE const char *
probe_node_name(void)
{
	return ("");
}

PROBE_INLINE int
probe_enabled(enum probe_class class_)
{
	(void)class_;
	return (0);
}

PROBE_INLINE void
probe_thread_name(const char *name)
{
	(void)name;
}

PROBE_INLINE void
probe_mute(void)
{
}

PROBE_INLINE void
probe_unmute(void)
{
}

PROBE_INLINE void
probe_mute_class(enum probe_class class_)
{
	(void)class_;
}

PROBE_INLINE void
probe_unmute_class(enum probe_class class_)
{
	(void)class_;
}

PROBE_INLINE void
probe_stop(void)
{
}

PROBE_INLINE void
probe_start(void)
{
}

PROBE_INLINE int
probe_flush(uint32_t timeout_ms)
{
	(void)timeout_ms;
	return (0);
}

#endif
