/*
 * Commands of Communication: what is shown of whom, a pair that is chosen, and
 * its messages or calls one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "event.h"
#include "ui/desk/desk.h"
#include "ui/things/thing.h"
#include "ui/traffic/talk.h"
#include "ui/views/asked/processors.h"
#include "ui/views/view.h"

#define LINKS_ASK 4096
#define TURNS     64 /* pieces of time that are looked at for one */

const char *
command_talk_word(const struct ui *ui, unsigned i)
{
	(void)ui;
	if (i < TALK_STATISTICS)
		return (talk_statistics[i].name);
	i -= TALK_STATISTICS;
	if (i < TALK_LEVELS)
		return (talk_level_name[i]);
	i -= TALK_LEVELS;
	return (i < TALK_PARTS ? talk_part_name[i] : NULL);
}

void
command_next_statistic(struct ui *ui)
{
	ui->chosen.talk.statistic =
	    (uint8_t)((talk_shown(ui) + 1) % TALK_STATISTICS);
	ui->chosen.talk.asked = true;
}

void
command_next_level(struct ui *ui)
{
	command_talk_level(ui, (ui->chosen.talk.level + 1u) % TALK_LEVELS);
}

void
command_next_activity(struct ui *ui)
{
	ui->chosen.talk.activity =
	    (uint8_t)((ui->chosen.talk.activity + 1) % ACTIVITY_PARTS);
}

static int
communication(struct ui *ui, const char *arg)
{
	if (arg[0] == '\0') {
		command_next_statistic(ui);
		return (0);
	}
	for (unsigned i = 0; i < TALK_STATISTICS; i++)
		if (strcmp(arg, talk_statistics[i].name) == 0) {
			ui->chosen.talk.statistic = (uint8_t)i;
			ui->chosen.talk.asked = true;
			ui->chosen.talk.part = TALK_TOTAL;
			command_front(ui, VIEW_COMMUNICATION);
			return (0);
		}
	for (unsigned i = 0; i < TALK_LEVELS; i++)
		if (strcmp(arg, talk_level_name[i]) == 0) {
			command_talk_level(ui, i);
			return (0);
		}
	for (unsigned i = 0; i < TALK_PARTS; i++)
		if (strcmp(arg, talk_part_name[i]) == 0) {
			ui->chosen.talk.part = (uint8_t)i;
			command_front(ui, VIEW_COMMUNICATION);
			return (0);
		}
	return (command_fail_words(ui, "communication is one of",
	    command_talk_word));
}

const char *
command_activity_word(const struct ui *ui, unsigned i)
{
	(void)ui;
	return (i < ACTIVITY_PARTS ? activity_part_name[i] : NULL);
}

/* Without an argument: the next part. */
static int
activity(struct ui *ui, const char *arg)
{
	if (arg[0] == '\0') {
		command_next_activity(ui);
		return (0);
	}
	for (unsigned i = 0; i < ACTIVITY_PARTS; i++)
		if (strcmp(arg, activity_part_name[i]) == 0) {
			ui->chosen.talk.activity = (uint8_t)i;
			command_front(ui, VIEW_ACTIVITY);
			return (0);
		}
	return (command_fail_words(ui, "activity is one of",
	    command_activity_word));
}

static int
only_state(struct ui *ui, const char *arg)
{
	if (count_only(ui, arg) == 0)
		return (0);
	return (command_fail_words(ui, "only-state is one of", count_state));
}

static int
stays(struct ui *ui, const char *arg)
{
	if (stays_show(ui, arg) == 0)
		return (0);
	return (command_fail_words(ui, "stays is one of", stays_state));
}

/* Without a word: the other way. */
static int
states(struct ui *ui, const char *arg)
{
	bool by_processor = !ui->lists.states_by_processor;

	if (arg[0] != '\0') {
		by_processor = strcmp(arg, states_by_name(ui, 1)) == 0;
		if (!by_processor && strcmp(arg, states_by_name(ui, 0)) != 0)
			return (command_fail_words(ui, "states by one of",
			    states_by_name));
	}
	command_front(ui, VIEW_STATES);
	ui->lists.states_by_processor = by_processor;
	return (0);
}

/* Phases with this in their names; without an argument all of them. */
static int
phases(struct ui *ui, const char *arg)
{
	if (strlen(arg) >= sizeof(ui->chosen.talk.phase))
		return (desk_fail(ui, "phases wants a part of a phase's name"));
	snprintf(ui->chosen.talk.phase, sizeof(ui->chosen.talk.phase), "%s",
	    arg);
	ui->chosen.talk.activity = ACTIVITY_SPEED;
	command_front(ui, VIEW_ACTIVITY);
	return (0);
}

static int
pair(struct ui *ui, const char *arg)
{
	struct talk_end from, to;
	char a[64], b[64], more[2];
	int n = sscanf(arg, "%63s %63s %1s", a, b, more);

	if (n <= 0) {
		ui->chosen.talk.pair = false;
		return (0);
	}
	if (n != 2)
		return (desk_fail(ui,
		    "pair wants two nodes, POs or threads, as in: n1/3 n2/1"));
	if (talk_end_parse(ui, a, &from) == -1)
		return (desk_fail(ui, "there is no %s", a));
	if (talk_end_parse(ui, b, &to) == -1)
		return (desk_fail(ui, "there is no %s", b));
	ui->chosen.talk.from = from;
	ui->chosen.talk.to = to;
	ui->chosen.talk.pair = true;
	return (0);
}

/* A message, or a phase of a call that has a link, of the chosen pair. */
static bool
is_meant(const struct ui *ui, const struct link *l)
{
	enum talk what = talk_statistics[talk_shown(ui)].what;
	const struct model *m = ui->model;

	if (l->kind0 != (what == TALK_MESSAGE     ? EV_send
			    : what == TALK_RETURN ? EV_rpc_end
						  : EV_rpc_call) ||
	    l->lane0 >= model_lanes(m) || l->lane1 >= model_lanes(m))
		return (false);
	if (what == TALK_RETURN)
		return (talk_end_has(&ui->chosen.talk.to,
			    model_lane(m, l->lane0)) &&
			talk_end_has(&ui->chosen.talk.from,
			    model_lane(m, l->lane1)));
	return (talk_end_has(&ui->chosen.talk.from, model_lane(m, l->lane0)) &&
		talk_end_has(&ui->chosen.talk.to, model_lane(m, l->lane1)));
}

/* Does a come behind b?  Of one instant, by what it is. */
static bool
is_behind(const struct link *a, const struct link *b)
{
	if (a->t0_mon_ns != b->t0_mon_ns)
		return (a->t0_mon_ns > b->t0_mon_ns);
	return (a->id > b->id);
}

/* The nearest of these that comes after at, or before it. */
static bool
nearest(const struct ui *ui, const struct link *v, size_t n,
    const struct link *at, int way, struct link *out)
{
	bool found = false;

	for (size_t i = 0; i < n; i++) {
		const struct link *l = &v[i];

		if (!is_meant(ui, l) ||
		    !(way > 0 ? is_behind(l, at) : is_behind(at, l)))
			continue;
		if (!found ||
		    (way > 0 ? is_behind(out, l) : is_behind(l, out))) {
			*out = *l;
			found = true;
		}
	}
	return (found);
}

/*
 * Pieces of time, each twice as long as the one before; one with too many links
 * is cut.  True: found.
 */
static bool
seek(const struct ui *ui, struct link *v, const struct link *at, int way,
    struct link *out)
{
	int64_t first = run_begin(ui), last = run_end(ui) + 1, to;
	int64_t t = at->t0_mon_ns, span = (last - first) / 64 + 1;
	size_t n;

	t = t < first ? first : t > last ? last : t;
	for (int i = 0; i < TURNS && (way > 0 ? t < last : t >= first); i++) {
		to = way > 0 ? (last - t < span ? last : t + span)
			     : (t - first < span ? first - 1 : t - span);
		n = way > 0
			? model_links(ui->model, t, to, v, LINKS_ASK)
			: model_links(ui->model, to + 1, t + 1, v, LINKS_ASK);
		if (n > LINKS_ASK && span > 1) {
			span /= 4;
			span += span == 0;
			continue;
		}
		n = n > LINKS_ASK ? LINKS_ASK : n;
		if (nearest(ui, v, n, at, way, out) &&
		    (way > 0 ? out->t0_mon_ns < to : out->t0_mon_ns > to))
			return (true);
		t = to;
		span = span < INT64_MAX / 4 ? span * 2 : span;
	}
	return (false);
}

/* Where the one that is selected stands, else the left edge. */
static struct link
standing(const struct ui *ui, int way)
{
	const struct timeline_hit *h = &ui->chosen.clicked;
	struct link at = { .t0_mon_ns = ui->time.t0_mon_ns };

	if (h->of == OF_LINK && is_meant(ui, &h->link))
		return (h->link);
	at.id = way > 0 ? 0 : UINT64_MAX;
	if (way < 0)
		at.t0_mon_ns = ui->time.t1_mon_ns;
	return (at);
}

int
command_pair_step(struct ui *ui, int way)
{
	struct link *v = malloc((LINKS_ASK + 1) * sizeof(*v));
	struct link at = standing(ui, way), found;
	struct thing k = { .kind = THING_LINK };
	bool there = v != NULL && seek(ui, v, &at, way, &found);

	free(v);
	if (!there)
		return (desk_fail(ui, "no %s of this pair %s",
		    talk_statistics[talk_shown(ui)].what == TALK_MESSAGE
			? "message"
			: "call",
		    way > 0 ? "after this" : "before this"));
	k.link = found;
	k.lane = found.lane0;
	ui->play.follow = false;
	thing_show(ui, &k);
	return (0);
}

static int
pair_next(struct ui *ui, const char *arg)
{
	(void)arg;
	if (!ui->chosen.talk.pair)
		return (desk_fail(ui, "choose a pair first"));
	return (command_pair_step(ui, 1));
}

static int
pair_previous(struct ui *ui, const char *arg)
{
	(void)arg;
	if (!ui->chosen.talk.pair)
		return (desk_fail(ui, "choose a pair first"));
	return (command_pair_step(ui, -1));
}

const struct command command_talk[] = {
	{ "communication", "[NAME]",
	    "what Communication shows, or between whom; the next statistic",
	    communication },
	{ "only-state", "[STATE]",
	    "shows one state of threads alone in Activity\'s count, or all",
	    only_state },
	{ "states", "[NAME]",
	    "has States by thread or by processor: thread, processor", states },
	{ "stays", "STATE",
	    "of which state States tells how often and how long each time",
	    stays },
	{ "activity", "[NAME]",
	    "the part of Activity that is shown, or the next", activity },
	{ "phases", "[TEXT]",
	    "the speed of phases with this in their names; of all", phases },
	{ "pair", "[FROM TO]",
	    "chooses a pair (n1/3 n2/1: POs; n1 n2: nodes; #12: a thread)",
	    pair },
	{ "pair-next", "", "selects the next message or call of the pair",
	    pair_next },
	{ "pair-previous", "", "and the one before", pair_previous },
	{ 0 },
};
