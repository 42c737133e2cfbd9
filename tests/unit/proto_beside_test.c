/* Files made beside others: planted links and files come to no harm. */
#include <sys/random.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "log/beside.h"
#include "tests/check.h"

/* What chance gives next, of beside_open(); 0: it is chance. */
static uint64_t fixed;

ssize_t
getrandom(void *to, size_t n, unsigned flags)
{
	static const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
	static uint64_t chance;

	(void)flags;
	chance = fixed != 0 ? fixed : chance + step;
	fixed = fixed != 0 ? fixed + 1 : 0;
	for (size_t at = 0; at < n; at += sizeof(chance))
		memcpy((char *)to + at, &chance,
		    n - at < sizeof(chance) ? n - at : sizeof(chance));
	return ((ssize_t)n);
}

struct place {
	char dir[64], path[96], precious[96];
};

static void
put(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void
holds(const char *path, const char *text)
{
	char got[100] = "";
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_non_null(fgets(got, sizeof(got), f));
	fclose(f);
	assert_string_equal(got, text);
}

static int
set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/orrery-test-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->path, sizeof(p->path), "%s/run.orr", p->dir);
	snprintf(p->precious, sizeof(p->precious), "%s/precious", p->dir);
	put(p->precious, "precious");
	*state = p;
	return (0);
}

static int
tear_down(void **state)
{
	struct place *p = *state;

	unlink(p->path);
	unlink(p->precious);
	assert_int_equal(rmdir(p->dir), 0); /* nothing else is left */
	free(p);
	return (0);
}

static void
it_takes_the_place_of_the_other(void **state)
{
	struct place *p = *state;
	char name[BESIDE_BYTES];
	struct stat st;
	int fd;

	put(p->path, "old");
	fd = beside_open(p->path, 0600, name);
	assert_true(fd != -1);
	assert_true(beside_is_of(strrchr(name, '/') + 1, "run.orr"));
	assert_int_equal(write(fd, "new", 3), 3);
	holds(p->path, "old");
	assert_int_equal(beside_replace(fd, name, p->path), 0);
	holds(p->path, "new");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	close(fd);
}

/* The place itself may be a link: it goes, what it points to stays. */
static void
a_link_in_the_place_is_not_followed(void **state)
{
	struct place *p = *state;
	char name[BESIDE_BYTES];
	struct stat st;
	int fd;

	assert_int_equal(symlink(p->precious, p->path), 0);
	fd = beside_open(p->path, 0600, name);
	assert_int_equal(write(fd, "new", 3), 3);
	assert_int_equal(beside_replace(fd, name, p->path), 0);
	close(fd);
	assert_int_equal(lstat(p->path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	holds(p->precious, "precious");
}

/* Who knows the name (which nobody can) gains nothing by it. */
static void
what_stands_there_is_not_opened(void **state)
{
	struct place *p = *state;
	struct env *env = env_event_new(NULL);
	char name[BESIDE_BYTES];
	static const int how[] = { ENV_WRITE | ENV_CREATE | ENV_EXCLUSIVE,
		ENV_WRITE | ENV_CREATE | ENV_TRUNCATE };

	assert_int_equal(beside_name(name, p->path, 7), 0);
	assert_int_equal(symlink(p->precious, name), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_null(env->ops->open(env, name, how[i]));
		assert_true(errno == EEXIST || errno == ELOOP);
	}
	unlink(name);
	holds(p->precious, "precious");
	env_event_free(env);
}

static void
a_name_that_is_taken_is_left_alone(void **state)
{
	struct place *p = *state;
	char planted[BESIDE_BYTES], name[BESIDE_BYTES];
	int fd;

	assert_int_equal(beside_name(planted, p->path, 7), 0);
	assert_int_equal(symlink(p->precious, planted), 0);
	fixed = 7;
	fd = beside_open(p->path, 0600, name);
	fixed = 0;
	assert_true(fd != -1);
	assert_string_not_equal(name, planted);
	assert_int_equal(write(fd, "new", 3), 3);
	assert_int_equal(beside_replace(fd, name, p->path), 0);
	close(fd);
	assert_int_equal(unlink(planted), 0);
	holds(p->precious, "precious");
}

static void
only_names_made_so_are_recognised(void **state)
{
	static const struct {
		const char *name;
		bool is;
	} cases[] = {
		{ "run.orr.0123456789abcdef.new", true },
		{ "run.orr.0123456789abcde.new", false },
		{ "run.orr.0123456789abcdef0.new", false },
		{ "run.orr.0123456789ABCDEF.new", false },
		{ "run.orr.0123456789abcdef", false },
		{ "run.orr.0123456789abcdef.new2", false },
		{ "xrun.orr.0123456789abcdef.new", false },
		{ "run.orr", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(beside_is_of(cases[i].name, "run.orr"),
		    cases[i].is);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(it_takes_the_place_of_the_other),
		TEST(a_link_in_the_place_is_not_followed),
		TEST(what_stands_there_is_not_opened),
		TEST(a_name_that_is_taken_is_left_alone),
		TEST(only_names_made_so_are_recognised),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
