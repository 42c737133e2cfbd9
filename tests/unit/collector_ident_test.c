/* The registry: what it knew before a crash it knows after. */
#include "tests/unit/collector_fixture.h"

#include "batch.h"

static struct ident *
open_ident(struct place *fx)
{
	struct ident *id = ident_open(fx->env, fx->dir);

	assert_non_null(id);
	return (id);
}

static struct po *
add_po(struct ident *id)
{
	struct msg_po m = { .po = ident_next_po(id),
		.pid = 5,
		.program = BYTES_STR("app") };
	struct po *po = ident_po_new(id, &m);

	assert_non_null(po);
	assert_non_null(ident_stream_new(id, po, 0, 5, ""));
	return (po);
}

static void
numbers_go_on_after_a_start(void **state)
{
	struct place *fx = *state;
	struct msg_name name = { .name = 1, .po = 1, .text = BYTES_STR("f") };
	struct ident *id = open_ident(fx);
	struct stream *st;
	struct po *po = add_po(id);

	assert_non_null(ident_stream_new(id, po, 1, 6, "main"));
	assert_null(ident_stream_new(id, po, 1, 7, "again"));
	assert_int_equal(ident_name_new(id, po, &name), 0);
	assert_int_equal(ident_save(id), 0);
	ident_free(id);

	id = open_ident(fx);
	assert_int_equal(ident_next_po(id), 2);
	po = ident_po(id, 1);
	assert_int_equal(po->names, 1);
	assert_string_equal(po->program, "app");
	assert_string_equal(ident_stream(id, 1, 1)->name, "main");
	st = ident_stream_new(id, po, 2, 8, "");
	assert_int_equal(st->number, 3);
	assert_ptr_equal(ident_stream_by_number(id, 3), st);
	assert_null(ident_stream_by_number(id, 4));
	ident_skip_pos(id, 10);
	assert_int_equal(ident_next_po(id), 10);
	/* nonsense, after which PO 0 would be the next */
	ident_skip_pos(id, UINT32_MAX);
	assert_int_equal(ident_next_po(id), 10);
	assert_null(ident_po_new(id, &(struct msg_po){ .po = UINT32_MAX }));
	assert_int_equal(ident_next_po(id), 10);
	ident_free(id);
}

static void
what_was_not_saved_was_never_told(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);

	add_po(id);
	ident_free(id);
	id = open_ident(fx);
	assert_int_equal(ident_pos(id), 0);
	ident_free(id);
}

static void
accounts_survive(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *po = add_po(id);
	struct stream *ended = ident_stream_new(id, po, 1, 6, "");
	struct stream *live = ident_stream_new(id, po, 2, 7, "");

	ended->next_seq = 100;
	ended->lost = 30;
	ended->lost_records = 2;
	assert_int_equal(ident_stream_end(id, ended, true), 0);
	live->next_seq = 10;
	live->lost = 4;
	live->lost_records = 1;
	assert_int_equal(ident_stream_note(id, live), 0);
	assert_int_equal(ident_save(id), 0);
	ident_free(id);

	id = open_ident(fx);
	ended = ident_stream(id, 1, 1);
	assert_true(ended->ended);
	assert_int_equal(stream_published(ended), 128);
	assert_int_equal(ident_ended(id), 1);
	live = ident_stream(id, 1, 2);
	assert_false(live->ended);
	assert_int_equal(stream_published(live), 13);
	assert_int_equal(live->lost_records, 1);
	ident_free(id);
}

static void
the_last_batch_says_more_than_the_journal(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *po = add_po(id);
	struct stream *st = ident_stream_new(id, po, 1, 6, "");
	struct batch_writer *w = batch_writer_new();
	struct node_event e[3] = {
		{ .t_node_ns = 5, .kind = EV_note, .a = 1 },
		{ .t_node_ns = 6, .kind = EV_lost, .a = 9, .b = 9, .c = 1 },
		{ .t_node_ns = 7, .kind = EV_note, .a = 1 },
	};
	struct msg_batch batch = { .number = 1 };

	batch_add_run(w, st->number, 40, e, 3);
	e[0].kind = EV_po_end;
	batch_add_run(w, po->about->number, 1, e, 1);
	batch.streams = batch_bytes(w);
	for (int i = 0; i < 2; i++) { /* twice changes nothing */
		assert_int_equal(ident_catch_up(id, &batch), 0);
		assert_int_equal(st->next_seq, 43);
		assert_int_equal(st->lost, 9);
		assert_int_equal(st->lost_records, 1);
		assert_int_equal(po->about->next_seq, 2);
		assert_true(po->end_told);
	}
	batch_writer_free(w);
	ident_free(id);
}

/* PO 1 inherits from 2, which inherits from 1; each from the one before; and
 * 0, which is none, from itself. */
static void
a_journal_that_goes_in_circles_is_read(void **state)
{
	static const struct {
		uint32_t po, names_po;
	} pos[] = { { 1, 0 }, { 2, 1 }, { 1, 2 }, { 0, 0 } };
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct msg_po m = { .names = 5, .program = BYTES_STR("app") };

	for (uint32_t i = 0; i < 60; i++) {
		m.po = i < 4 ? pos[i].po : i - 1;
		m.names_po = i < 4 ? pos[i].names_po : i - 2;
		assert_non_null(ident_po_new(id, &m));
	}
	assert_int_equal(ident_save(id), 0);
	ident_free(id);
	id = open_ident(fx);
	assert_int_equal(ident_po(id, 1)->names_po, 0);
	assert_int_equal(ident_po(id, 2)->names_po, 1);
	assert_null(ident_po(id, 0));
	for (uint32_t i = 1; i < 59; i++)
		assert_true(ident_po(id, i)->depth <= 16);
	ident_free(id);
}

static void
a_new_run_forgets_what_has_ended(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *old = add_po(id), *live = add_po(id);
	struct stream *st = ident_stream_new(id, live, 1, 6, "");
	struct msg_account m;

	assert_int_equal(ident_stream_end(id, old->about, true), 0);
	ident_po_end(id, old);
	st->next_seq = 100;
	assert_int_equal(ident_save(id), 0);
	assert_int_equal(ident_new_run(id), 0);
	assert_null(ident_po(id, 1));
	assert_int_equal(ident_ended(id), 0);
	st->next_seq = 130;
	stream_account(st, &m);
	assert_int_equal(m.published, 130); /* 100 will be missing */
	assert_int_equal(m.next_seq, 130);
	assert_int_equal(ident_stream_end(id, st, true), 0);
	assert_int_equal(ident_save(id), 0);
	ident_free(id);

	id = open_ident(fx);
	assert_null(ident_po(id, 1));
	stream_account(ident_stream(id, 2, 1), &m);
	assert_int_equal(m.published, 130);
	assert_int_equal(m.next_seq, 130);
	ident_free(id);
}

/* A PO whose first names are those of another. */
static struct po *
add_heir(struct ident *id, const struct po *from, uint32_t names)
{
	struct msg_po m = { .po = ident_next_po(id),
		.pid = 5,
		.program = BYTES_STR("app"),
		.names_po = from->number,
		.names = names };
	struct po *po = ident_po_new(id, &m);

	assert_non_null(po);
	assert_non_null(ident_stream_new(id, po, 0, 5, ""));
	return (po);
}

static void
add_names(struct ident *id, struct po *po, uint32_t n)
{
	char text[32];

	for (uint32_t i = 0; i < n; i++) {
		struct msg_name m = { .name = po->names + 1, .po = po->number };

		snprintf(text, sizeof(text), "%u of %u", m.name, po->number);
		m.text = BYTES_STR(text);
		assert_int_equal(ident_name_new(id, po, &m), 0);
	}
}

/* A name as it is told to a new session of monitord, or NULL. */
static const char *
told_name(const struct po *po, uint32_t name)
{
	static char text[32];
	struct msg_name m;
	struct frame f;

	for (size_t at = 0; at < po->defs.n; at += f.frame_bytes) {
		assert_int_equal(frame_parse(po->defs.p + at, po->defs.n - at,
				     &f),
		    FRAME_OK);
		if (f.type != MSG_name ||
		    msg_decode(MSG_name, f.body, f.body_bytes, &m) == -1 ||
		    m.name != name)
			continue;
		assert_int_equal(m.po, po->number);
		snprintf(text, sizeof(text), "%.*s", (int)m.text.n,
		    (const char *)m.text.p);
		return (text);
	}
	return (NULL);
}

static void
names_are_inherited(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *parent = add_po(id), *child;

	parent->t_node_ns = 77;
	add_names(id, parent, 5);
	assert_int_equal(ident_inherited(id, 1, 77, 4), 4);
	assert_int_equal(ident_inherited(id, 1, 77, 6), 5);
	assert_int_equal(ident_inherited(id, 1, 78, 4), 0); /* another one */
	assert_int_equal(ident_inherited(id, 2, 77, 4), 0);
	child = add_heir(id, parent, 4);
	add_names(id, child, 2);
	assert_int_equal(child->names, 6);
	assert_null(told_name(child, 4));
	assert_string_equal(told_name(child, 5), "5 of 2");
	assert_int_equal(ident_save(id), 0);
	ident_free(id);

	id = open_ident(fx);
	child = ident_po(id, 2);
	assert_int_equal(child->names, 6);
	assert_int_equal(child->inherited, 4);
	assert_int_equal(child->names_po, 1);
	ident_free(id);
}

/* Parent and child have ended when a run begins; the grandchild goes on. */
static void
heirs_keep_names_that_are_forgotten(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *parent = add_po(id), *child, *last;

	add_names(id, parent, 5);
	child = add_heir(id, parent, 4);
	add_names(id, child, 3);
	last = add_heir(id, child, 6);
	add_names(id, last, 1);
	assert_int_equal(ident_stream_end(id, parent->about, true), 0);
	ident_po_end(id, parent);
	assert_int_equal(ident_stream_end(id, child->about, true), 0);
	ident_po_end(id, child);
	assert_int_equal(ident_new_run(id), 0);
	ident_free(id);

	id = open_ident(fx);
	assert_null(ident_po(id, 1));
	assert_null(ident_po(id, 2));
	last = ident_po(id, 3);
	assert_int_equal(last->names, 7);
	assert_int_equal(last->inherited, 6); /* where its own ones begin */
	assert_string_equal(told_name(last, 1), "1 of 1");
	assert_string_equal(told_name(last, 4), "4 of 1");
	assert_string_equal(told_name(last, 5), "5 of 2");
	assert_string_equal(told_name(last, 6), "6 of 2");
	assert_string_equal(told_name(last, 7), "7 of 3");
	ident_free(id);
}

/* A batch of one PO's first two events, the second a loss, and one of st. */
static struct batch_writer *
waiting_batch(struct po *po, struct stream *st)
{
	struct batch_writer *w = batch_writer_new();
	struct node_event e[2] = {
		{ .t_node_ns = 5, .kind = EV_po_begin, .a = 1 },
		{ .t_node_ns = 6, .kind = EV_lost, .a = 9, .b = 9, .c = 1 },
	};

	batch_add_run(w, po->about->number, 0, e, 2);
	po->about->next_seq = 2;
	po->about->lost = 9;
	po->about->lost_records = 1;
	e[0].kind = EV_note;
	batch_add_run(w, st->number, st->next_seq, e, 1);
	st->next_seq++;
	return (w);
}

static void
account_is(const struct stream *st, uint64_t published, uint64_t lost,
    uint64_t next_seq)
{
	struct msg_account m;

	stream_account(st, &m);
	assert_int_equal(m.published, published);
	assert_int_equal(m.lost, lost);
	assert_int_equal(m.next_seq, next_seq);
}

/*
 * A program that came before the run was known: its events go to the run.  Of
 * a thread that goes on, monitord counts what it does not get as lost.
 */
static void
what_waits_is_of_the_new_run(void **state)
{
	struct place *fx = *state;

	for (int spooled = 0; spooled < 2; spooled++) {
		struct ident *id = open_ident(fx);
		struct po *po = add_po(id);
		struct stream *st = ident_stream_new(id, po, 1, 6, "");
		struct stream *still = ident_stream_new(id, po, 2, 7, "");
		struct batch_writer *w;
		uint32_t number = po->number;

		still->next_seq = 70;
		st->next_seq = 99;
		st->lost = 3;
		st->lost_records = 1;
		w = waiting_batch(po, st);
		po->end_told = true;
		assert_int_equal(ident_save(id), 0);
		ident_waits(id, batch_bytes(w), spooled);
		assert_int_equal(ident_new_run(id), 0);
		account_is(po->about, 10, 9, 2);
		account_is(st, 100, 0, 100);
		account_is(still, 0, 0, 70);
		batch_writer_free(w);
		ident_free(id);

		/* it died: what is in no spool will be said again */
		id = open_ident(fx);
		st = ident_stream(id, number, 1);
		po = ident_po(id, number);
		assert_int_equal(po->end_told, spooled);
		if (spooled) {
			account_is(po->about, 10, 9, 2);
			account_is(st, 100, 0, 100);
		} else {
			account_is(po->about, 0, 0, 0);
			account_is(st, 0, 0, 99);
		}
		account_is(ident_stream(id, number, 2), 0, 0, 0);
		ident_po_end(id, po);
		assert_int_equal(ident_new_run(id), 0);
		ident_free(id);
	}
}

/* It came and went before the run was known. */
static void
who_ended_in_the_new_run_is_accounted_for(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *po = add_po(id);
	struct stream *st = ident_stream_new(id, po, 1, 6, "");
	struct batch_writer *w = waiting_batch(po, st);

	assert_int_equal(ident_stream_end(id, st, true), 0);
	assert_int_equal(ident_stream_end(id, po->about, true), 0);
	ident_po_end(id, po);
	ident_waits(id, batch_bytes(w), true);
	assert_int_equal(ident_new_run(id), 0);
	assert_ptr_equal(ident_po(id, po->number), po);
	assert_int_equal(ident_ended(id), 2);
	account_is(ident_ended_at(id, 0), 1, 0, 1);
	assert_int_equal(ident_new_run(id), 0);
	assert_int_equal(ident_pos(id), 0);
	assert_int_equal(ident_ended(id), 0);
	batch_writer_free(w);
	ident_free(id);
}

/* Losses are noted at every batch: the journal must not grow for ever. */
static void
the_journal_is_reduced_from_time_to_time(void **state)
{
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *po = add_po(id);
	struct stream *st = ident_stream_new(id, po, 1, 6, "");
	struct env_file *f;
	char path[128];

	for (uint64_t i = 1; i <= 200000; i++) {
		st->next_seq = i;
		st->lost = 3 * i;
		st->lost_records = i;
		ident_stream_note(id, st);
		assert_int_equal(ident_settle(id), 0);
	}
	ident_free(id);
	snprintf(path, sizeof(path), "%s/journal", fx->dir);
	f = fx->env->ops->open(fx->env, path, ENV_READ);
	assert_true(fx->env->ops->size(f) < 5 << 20);
	fx->env->ops->file_close(f);
	id = open_ident(fx);
	assert_int_equal(ident_stream(id, 1, 1)->lost, 600000);
	ident_free(id);
}

/*
 * The end of a program was said, but the spool has no room for that batch, and
 * the collector dies: the next one has to say it.  Not so if the journal, which
 * is long, was written afresh meanwhile.
 */
static void
what_is_in_no_spool_is_not_settled(void **state)
{
	static char text[4096];
	struct place *fx = *state;
	struct ident *id = open_ident(fx);
	struct po *po = add_po(id);
	struct msg_name name = { .po = 1, .text = { text, sizeof(text) } };

	memset(text, 'n', sizeof(text));
	po->about->next_seq = 1;
	ident_stream_note(id, po->about);
	for (name.name = 1; name.name <= 1200; name.name++)
		assert_int_equal(ident_name_new(id, po, &name), 0);
	assert_int_equal(ident_save(id), 0);
	po->about->next_seq = 2;
	po->end_told = true;
	name.name = 1201;
	assert_int_equal(ident_name_new(id, po, &name), 0);
	assert_int_equal(ident_save(id), 0); /* before the batch */
	ident_free(id);

	id = open_ident(fx);
	po = ident_po(id, 1);
	assert_false(po->end_told);
	assert_int_equal(po->about->next_seq, 1);
	ident_free(id);
}

#define TEST(f)                                                                \
	cmocka_unit_test_setup_teardown(f, place_set_up, place_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(numbers_go_on_after_a_start),
		TEST(what_was_not_saved_was_never_told),
		TEST(what_is_in_no_spool_is_not_settled),
		TEST(accounts_survive),
		TEST(the_last_batch_says_more_than_the_journal),
		TEST(a_journal_that_goes_in_circles_is_read),
		TEST(a_new_run_forgets_what_has_ended),
		TEST(names_are_inherited),
		TEST(heirs_keep_names_that_are_forgotten),
		TEST(what_waits_is_of_the_new_run),
		TEST(who_ended_in_the_new_run_is_accounted_for),
		TEST(the_journal_is_reduced_from_time_to_time),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
