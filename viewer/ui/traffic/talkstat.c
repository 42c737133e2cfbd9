/* What can be shown of a pair, as a table; see talk.h. */
#include "talk.h"
#include "ui/draw/draw.h"

const char *const talk_part_name[TALK_PARTS] = { "total", "now", "queues",
	"traffic" };
const char *const talk_level_name[TALK_LEVELS] = { "POs", "nodes", "threads" };

const struct talk_statistic talk_statistics[TALK_STATISTICS] = {
	{ "number", "number", "messages", TALK_MESSAGE, TALK_COUNT },
	{ "bytes", "bytes", "bytes sent", TALK_MESSAGE, TALK_BYTES },
	{ "way-mean", "on the way: mean", "time on the way, mean", TALK_MESSAGE,
	    TALK_MEAN },
	{ "way-total", "total", "time on the way, total", TALK_MESSAGE,
	    TALK_SUM },
	{ "calls", "calls", "remote calls", TALK_WHOLE, TALK_COUNT },
	{ "setup-mean", "setup", "calls: from the call to its start, mean",
	    TALK_SETUP, TALK_MEAN },
	{ "setup-total", "total", "calls: from the call to its start, total",
	    TALK_SETUP, TALK_SUM },
	{ "remote-mean", "remote", "calls: what the callee took, mean",
	    TALK_REMOTE, TALK_MEAN },
	{ "remote-total", "total", "calls: what the callee took, total",
	    TALK_REMOTE, TALK_SUM },
	{ "return-mean", "return", "calls: the way back, mean", TALK_RETURN,
	    TALK_MEAN },
	{ "return-total", "total", "calls: the way back, total", TALK_RETURN,
	    TALK_SUM },
	{ "whole-mean", "whole", "calls: as a whole, mean", TALK_WHOLE,
	    TALK_MEAN },
	{ "whole-total", "total", "calls: as a whole, total", TALK_WHOLE,
	    TALK_SUM },
};

unsigned
talk_shown(const struct ui *ui)
{
	uint32_t n = ui->chosen.talk.asked ? 0 : model_talks(ui->model);
	struct talk_pair p;

	for (uint32_t i = 0; i < n; i++) {
		model_talk_at(ui->model, i, &p);
		if (p.what == TALK_MESSAGE)
			return (ui->chosen.talk.statistic);
	}
	return (n == 0 ? ui->chosen.talk.statistic : TALK_CALLS);
}

double
talk_value(const struct talk_statistic *s, const struct talk_pair *p)
{
	switch (s->of) {
	case TALK_COUNT:
		return ((double)p->count);
	case TALK_BYTES:
		return ((double)p->bytes);
	case TALK_MEAN:
		return (p->count == 0 ? 0 : (double)p->ns / (double)p->count);
	case TALK_SUM:
		return ((double)p->ns);
	}
	return (0);
}

char *
talk_words(const struct talk_statistic *s, double value, char *buf, size_t n)
{
	if (s->of == TALK_COUNT)
		return (format_count(buf, n, (uint64_t)value));
	if (s->of == TALK_BYTES)
		return (format_bytes(buf, n, (uint64_t)value));
	return (format_span(buf, n, (int64_t)value));
}
