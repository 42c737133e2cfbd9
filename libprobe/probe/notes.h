/* Part of probe.h: phases, counters, states and notes. */
#ifndef PROBE_NOTES_H
#define PROBE_NOTES_H

/*
 * Phases: stretches of work that mean something to you.  They nest; the end
 * belongs to the innermost.  units is the work done, in a unit of your own.
 */
PROBE_INLINE void
probe_phase_begin(uint32_t phase)
{
	PROBE_EVENT(PROBE_CLASS_phase, 0, PROBE_phase_begin, phase, 0, 0);
}

PROBE_INLINE void
probe_phase_end(uint32_t phase, uint64_t units)
{
	PROBE_EVENT(PROBE_CLASS_phase, 0, PROBE_phase_end, phase, units, 0);
}

/* A counter has a new value. */
PROBE_INLINE void
probe_counter(uint32_t counter, int64_t value)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_counter, counter,
	    (uint64_t)value, 0);
}

/* The same of one that is no whole number. */
PROBE_INLINE void
probe_counter_real(uint32_t counter, double value)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_counter_real, counter, bits, 0);
}

/* The state that this thread is in from now on. */
PROBE_INLINE void
probe_state(uint32_t state)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_state, state, 0, 0);
}

/* The program has something to say. */
PROBE_INLINE void
probe_note(uint32_t text, int64_t value)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_note, text, (uint64_t)value, 0);
}

/* A sampler found this thread at address, having used cpu_ns so far. */
PROBE_INLINE void
probe_sample(const void *address, uint64_t cpu_ns, uint32_t function)
{
	PROBE_EVENT(PROBE_CLASS_note, 0, PROBE_sample, function,
	    (uint64_t)(uintptr_t)address, cpu_ns);
}

#endif
