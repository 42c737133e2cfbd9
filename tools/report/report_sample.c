/*
 * The part of a report that tells where threads were found by a sampler.  Times
 * are processor time that samples stand for, shares those of all that was
 * sampled of the program.
 */
#include <inttypes.h>

#include "report.h"

static double
ms(uint64_t ns)
{
	return ((double)ns / 1e6);
}

/* Processor time that samples of a program stand for. */
static uint64_t
program_ns(const struct tally *t, uint32_t program)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < t->nsampled; i++)
		if (t->sampled[i].program == program)
			ns += t->sampled[i].self_ns;
	return (ns);
}

static double
percent(uint64_t part, uint64_t whole)
{
	return (whole == 0 ? 0 : 100 * (double)part / (double)whole);
}

static void
text_samplings(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	fprintf(f, "\nsamples, times in ms\n  %-12s %8s %10s %14s %10s  %s\n",
	    "process", "rate", "samples", "cpu", "nowhere", "known by");
	for (size_t i = 0; i < t->nsamplings && i < REPORT_ROWS_MAX; i++) {
		const struct tally_sampling *s = &t->samplings[i];

		fprintf(f,
		    "  %-12s %8" PRIu64 " %10" PRIu64 " %14.6f %10" PRIu64
		    "  %s%s\n",
		    report_po(r, s->po, name), s->rate_hz, s->samples,
		    ms(s->cpu_ns), s->unknown, defs_name_text(r->defs, s->way),
		    s->kernel ? "" : ", not within the kernel");
	}
	text_more(f, t->nsamplings);
}

void
text_samples(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	if (t->nsamplings == 0)
		return;
	text_samplings(f, r);
	fprintf(f, "  %-24s %-14s %10s %12s %8s %10s %12s %8s  %s\n",
	    "function", "program", "samples", "self", "share", "within",
	    "total", "share", "code");
	for (size_t i = 0; i < t->nsampled && i < REPORT_ROWS_MAX; i++) {
		const struct tally_sampled *s = &t->sampled[i];
		uint64_t all_ns = program_ns(t, s->program);

		fprintf(f,
		    "  %-24s %-14s %10" PRIu64 " %12.6f %6.2f %% %10" PRIu64
		    " %12.6f %6.2f %%  %s\n",
		    s->function, t->programs[s->program], s->samples,
		    ms(s->self_ns), percent(s->self_ns, all_ns), s->in_samples,
		    ms(s->total_ns), percent(s->total_ns, all_ns), s->code);
	}
	text_more(f, t->nsampled);
}

void
doc_samples(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_list(d, "sampling", DOC_LINES);
	for (size_t i = 0; i < t->nsamplings; i++) {
		const struct tally_sampling *s = &t->samplings[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "po", report_po(r, s->po, name));
		doc_count(d, "rate_hz", s->rate_hz);
		doc_bool(d, "kernel", s->kernel);
		doc_count(d, "samples", s->samples);
		doc_count(d, "nowhere", s->unknown);
		doc_count(d, "cpu_ns", s->cpu_ns);
		doc_text(d, "known_by", defs_name_text(r->defs, s->way));
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "sampled", DOC_LINES);
	for (size_t i = 0; i < t->nsampled; i++) {
		const struct tally_sampled *s = &t->sampled[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", s->function);
		doc_text(d, "program", t->programs[s->program]);
		doc_text(d, "code", s->code);
		doc_count(d, "samples", s->samples);
		doc_count(d, "self_ns", s->self_ns);
		doc_count(d, "within", s->in_samples);
		doc_count(d, "total_ns", s->total_ns);
		doc_end(d);
	}
	doc_end(d);
}
