/* Part of probe.h: kinds of events of your own. */
#ifndef PROBE_OWN_H
#define PROBE_OWN_H

/*
 * A kind is a table of its fields, each with a label, a type and a unit ("" for
 * none), which is known wherever the events are shown:
 *
 *	#define ORDER(FIELD)                                            \
 *		FIELD(number, id, "")                                   \
 *		FIELD(client, name, "")                                 \
 *		FIELD(price, real, "EUR")                               \
 *		FIELD(waited, ns, "")
 *	PROBE_KIND(order, ORDER);
 *	...
 *		PROBE_TELL(order, .number = n, .price = 9.5);
 *
 * PROBE_KIND() makes a struct of the fields and stands outside of functions;
 * PROBE_TELL() records an event of the kind: what follows are initial values of
 * that struct, by label or in order; what is left out is 0.
 *
 *	number bytes ns id	uint64_t; id is shown as a hexadecimal number
 *	value			int64_t
 *	real			double
 *	flag			int, which is 0 or not
 *	name			uint32_t, the number of a string
 *
 * A kind has 1 to 8 fields, at most 3 of them names; more do not compile.  It
 * and its labels are words of up to 31 bytes, a unit has up to 15 without
 * blanks, colons and quotes, and a process has up to 256 kinds.  An event with
 * two numbers or less and no name costs as much as others; every two numbers
 * more, or every name, cost the same once more.  When the ring is full in
 * between, what is lost of an event is not known of it.
 *
 * A kind that cannot be is refused when it is told of first: a note in the log
 * says so and why, once, and its events are not recorded.
 */
#define PROBE_KIND(kind, FIELDS)                                               \
	struct probe_own_##kind {                                              \
		FIELDS(PROBE_OWN_MEMBER)                                       \
	};                                                                     \
	enum {                                                                 \
		probe_own_names_##kind = 0 FIELDS(PROBE_OWN_IS_NAME),          \
		probe_own_numbers_##kind =                                     \
		    0 FIELDS(PROBE_OWN_ONE) - probe_own_names_##kind           \
	};                                                                     \
	PROBE_INSIDE void probe_tell_##kind(struct probe_own_##kind e)         \
	{                                                                      \
		uint64_t numbers[9] = { 0 };                                   \
		uint32_t names[4] = { 0 };                                     \
		unsigned number = 0, name = 0;                                 \
                                                                               \
		if (!probe_enabled(PROBE_CLASS_note))                          \
			return;                                                \
		FIELDS(PROBE_OWN_PUT)                                          \
		probe_tell(PROBE_CACHED(                                       \
			       probe_declare(#kind FIELDS(PROBE_OWN_TEXT))),   \
		    numbers, number, names, name);                             \
	}                                                                      \
	PROBE_OWN_ASSERT(probe_own_numbers_##kind + probe_own_names_##kind <=  \
			     8,                                                \
	    "a kind of events has at most 8 fields");                          \
	PROBE_OWN_ASSERT(probe_own_names_##kind <= 3,                          \
	    "a kind of events has at most 3 fields that are names")

#ifdef __cplusplus
#define PROBE_TELL(kind, ...) probe_tell_##kind(probe_own_##kind{ __VA_ARGS__ })
#define PROBE_OWN_ASSERT      static_assert
#else
#define PROBE_TELL(kind, ...)                                                  \
	probe_tell_##kind((struct probe_own_##kind){ __VA_ARGS__ })
#define PROBE_OWN_ASSERT __extension__ _Static_assert
#endif

/*
 * The same for other languages.  The number of a kind, out of its name and the
 * fields: "order number:id client:name price:real:EUR waited:ns"; always the
 * same for the same text.  About a microsecond.  PROBE_REFUSED: it cannot be.
 */
#define PROBE_REFUSED UINT32_MAX

#ifndef PROBE_OFF
uint32_t probe_declare(const char *text) PROBE_API;
#else
PROBE_INLINE uint32_t
probe_declare(const char *text)
{
	(void)text;
	return (0);
}
#endif

#ifndef PROBE_OFF
/* Inside: whether events of it are chosen; what they have more comes first. */
int probe_tells(uint32_t kind) PROBE_COLD;

#define PROBE_OWN_MORE(i)                                                      \
	do {                                                                   \
		if (numbers > 2 + 2 * (i) || names > (i))                      \
			probe_put(on, 0, PROBE_own_more,                       \
			    names > (i) ? name[i] : 0,                         \
			    numbers > 2 + 2 * (i) ? number[2 + 2 * (i)] : 0,   \
			    numbers > 3 + 2 * (i) ? number[3 + 2 * (i)] : 0);  \
	} while (0)
#endif

/*
 * An event of it: its numbers in order (a real by its bits), and its names.
 * There must be as many as were declared.
 */
PROBE_INLINE void
probe_tell(uint32_t kind, const uint64_t *number, unsigned numbers,
    const uint32_t *name, unsigned names)
{
#ifndef PROBE_OFF
	uint32_t on = PROBE_ON();

	if (!((on >> PROBE_CLASS_note) & 1) || kind == 0 ||
	    kind == PROBE_REFUSED ||
	    (PROBE_UNLIKELY((on & PROBE_LOOK) != 0) && !probe_tells(kind)))
		return;
	PROBE_OWN_MORE(0);
	PROBE_OWN_MORE(1);
	PROBE_OWN_MORE(2);
	probe_put(on, 0, PROBE_own, kind, numbers > 0 ? number[0] : 0,
	    numbers > 1 ? number[1] : 0);
#else
	(void)kind, (void)number, (void)numbers, (void)name, (void)names;
#endif
}

PROBE_INSIDE uint64_t
probe_own_real(double value)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return (bits);
}

/* What becomes of FIELD(label, type, unit), in each place. */
/* clang-format off */
#define PROBE_OWN_MEMBER(label, type, unit)  PROBE_OWN_C_##type label;
#define PROBE_OWN_ONE(label, type, unit)     + 1
#define PROBE_OWN_IS_NAME(label, type, unit) + PROBE_OWN_N_##type
#define PROBE_OWN_TEXT(label, type, unit)    " " #label ":" #type ":" unit
#define PROBE_OWN_PUT(label, type, unit)     PROBE_OWN_P_##type(e.label);

#define PROBE_OWN_C_number uint64_t
#define PROBE_OWN_C_bytes  uint64_t
#define PROBE_OWN_C_ns     uint64_t
#define PROBE_OWN_C_id     uint64_t
#define PROBE_OWN_C_value  int64_t
#define PROBE_OWN_C_real   double
#define PROBE_OWN_C_flag   int
#define PROBE_OWN_C_name   uint32_t

#define PROBE_OWN_N_number 0
#define PROBE_OWN_N_bytes  0
#define PROBE_OWN_N_ns     0
#define PROBE_OWN_N_id     0
#define PROBE_OWN_N_value  0
#define PROBE_OWN_N_real   0
#define PROBE_OWN_N_flag   0
#define PROBE_OWN_N_name   1

#define PROBE_OWN_P_number(v) numbers[number++ & 7] = (v)
#define PROBE_OWN_P_bytes(v)  numbers[number++ & 7] = (v)
#define PROBE_OWN_P_ns(v)     numbers[number++ & 7] = (v)
#define PROBE_OWN_P_id(v)     numbers[number++ & 7] = (v)
#define PROBE_OWN_P_value(v)  numbers[number++ & 7] = (uint64_t)(v)
#define PROBE_OWN_P_real(v)   numbers[number++ & 7] = probe_own_real(v)
#define PROBE_OWN_P_flag(v)   numbers[number++ & 7] = (v) != 0
#define PROBE_OWN_P_name(v)   names[name++ & 3] = (v)
/* clang-format on */

#endif
