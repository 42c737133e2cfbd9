/*
 * Declares kinds of events, good ones and others, and tells of them; what it
 * has told stands on its standard output, for tests/tools/kinds.py: a line an
 * event, "KIND LABEL=VALUE...".
 *
 *	kinds [events]
 */
#include <err.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

/* clang-format off */
#define WIDE(FIELD)                                                            \
	FIELD(n, number, "")                                                   \
	FIELD(who, name, "")                                                   \
	FIELD(height, real, "m/s²")                                            \
	FIELD(debt, value, "EUR")                                              \
	FIELD(took, ns, "")                                                    \
	FIELD(key, id, "")                                                     \
	FIELD(place, name, "")                                                 \
	FIELD(good, flag, "")
#define FULL(FIELD)                                                            \
	FIELD(a, number, "") FIELD(b, number, "") FIELD(c, number, "")         \
	FIELD(d, number, "") FIELD(e, number, "") FIELD(f, number, "")         \
	FIELD(g, number, "") FIELD(h, bytes, "B")
#define NAMES(FIELD)                                                           \
	FIELD(x, name, "") FIELD(y, name, "") FIELD(z, name, "")
#define TINY(FIELD) FIELD(value, value, "")
/* clang-format on */
PROBE_KIND(wide, WIDE);
PROBE_KIND(full, FULL);
PROBE_KIND(names, NAMES);
PROBE_KIND(tiny, TINY);

static const char *const words[] = { "one", "two words", "Größe" };

static void
tell_tiny(int64_t v)
{
	PROBE_TELL(tiny, v);
	printf("tiny value=%" PRId64 "\n", v);
}

static void
tell_all(uint64_t i)
{
	uint32_t one = probe_name(words[i % 3]), two = PROBE_NAME("here");
	double height = (double)i / 7 - 1e3;

	PROBE_TELL(wide, .n = i, .who = one, .height = height,
	    .debt = 5 - (int64_t)i, .took = i * 1000, .key = i << 40,
	    .place = i % 2 ? two : 0, .good = i % 3 == 0);
	printf("wide n=%" PRIu64 " who=%s height=%.17g debt=%" PRId64
	       " took=%" PRIu64 " key=%" PRIu64 " place=%s good=%d\n",
	    i, words[i % 3], height, 5 - (int64_t)i, i * 1000, i << 40,
	    i % 2 ? "here" : "", i % 3 == 0);
	PROBE_TELL(full, 1, i, 3, i * i, 5, 6, UINT64_MAX - i, i);
	printf("full a=1 b=%" PRIu64 " c=3 d=%" PRIu64 " e=5 f=6 g=%" PRIu64
	       " h=%" PRIu64 "\n",
	    i, i * i, UINT64_MAX - i, i);
	PROBE_TELL(names, two, one, 0);
	printf("names x=here y=%s z=\n", words[i % 3]);
	tell_tiny(-(int64_t)i);
}

/* Between the parts of others, by a signal; its own are whole as well. */
static void
on_signal(int sig)
{
	static uint64_t n;

	(void)sig;
	PROBE_TELL(full, 9, n++, 9, 9, 9, 9, 9, 9);
}

static void *
interrupts(void *arg)
{
	const pthread_t *of = arg;

	for (int i = 0; i < 200; i++)
		(void)pthread_kill(*of, SIGUSR1);
	return (NULL);
}

static void
disturbed(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	pthread_t t, self = pthread_self();

	sigaction(SIGUSR1, &sa, NULL);
	if (pthread_create(&t, NULL, interrupts, &self) != 0)
		err(1, "no thread");
	for (uint64_t i = 0; i < 2000; i++)
		PROBE_TELL(wide, .n = 1000000 + i, .debt = (int64_t)i,
		    .took = i, .key = i, .good = 1);
	pthread_join(t, NULL);
	printf("disturbed 2000\n");
}

/* Each is refused; NULL, what is empty, not text, too long or too many. */
static void
refused(void)
{
	static const char *const bad[] = { "", "order", " a:number",
		"or:der a:number", "9a a:number", "a b", "a b:", "a b:int",
		"a b:number:a\"b", "a b:number b:real", "a b:number ",
		"a  b:number", "caf\351 a:number", "a caf\303:number",
		"a b:number:\377", "a\tb a:number", "a a:number:x\033[2J",
		"a x:name y:name z:name w:name",
		"a b:ns c:ns d:ns e:ns f:ns g:ns h:ns i:ns j:ns",
		"a_kind_of_more_than_31_bytes_xxxx a:number",
		"a b:number:a_unit_of_more_than_15", "send a:number",
		"tiny value:real" };
	char text[64];
	uint32_t last = 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (probe_declare(bad[i]) != PROBE_REFUSED)
			errx(1, "%s is not refused", bad[i]);
	if (probe_declare(NULL) != PROBE_REFUSED)
		errx(1, "NULL is not refused");
	for (int i = 0; i < 1000; i++)
		if (probe_declare("tiny value:real") != PROBE_REFUSED)
			errx(1, "it is declared at last");
	probe_tell(PROBE_REFUSED, NULL, 0, NULL, 0);
	probe_tell(0, NULL, 0, NULL, 0);
	if (probe_declare("tiny value:value:") !=
	    probe_declare("tiny value:value"))
		errx(1, "a kind has two numbers");
	for (int i = 0; i < 300; i++) {
		snprintf(text, sizeof(text), "many_%d a:number", i);
		last = probe_declare(text);
		if (last == 0)
			errx(1, "%s has no number", text);
	}
	if (last != PROBE_REFUSED)
		errx(1, "there are 300 kinds");
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 50;

	for (uint64_t i = 0; i < n; i++)
		tell_all(i);
	if (probe_attached())
		refused();
	disturbed();
	return (fflush(stdout) == 0 ? 0 : 1);
}
