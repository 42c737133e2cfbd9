/* A picture takes the place of a picture of ours, and of nothing else. */
#include "tests/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/out/outfile.h"
#include "ui/out/png.h"

static char dir[] = "/tmp/orrery-outfile.XXXXXX";
static char path[64], other[64];

static void
put(const char *file, const void *p, size_t n)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static int
picture(void)
{
	uint32_t px[4] = { 0 };
	struct canvas c;

	canvas_init(&c, px, 2, 2, 2);
	return (png_write(path, &c));
}

static void
one_of_ours_is_replaced(void **state)
{
	static const char svg[] =
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height";
	struct stat st;

	(void)state;
	assert_int_equal(picture(), 0); /* nothing is there */
	assert_int_equal(picture(), 0);
	put(path, svg, sizeof(svg) - 1);
	assert_int_equal(picture(), 0);
	put(path, "", 0);
	umask(027);
	assert_int_equal(picture(), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	unlink(path);
}

static void
all_else_stays(void **state)
{
	static const char photo[64] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0"
				      "\0\0\1\x08\x02\0\0\0....\0\0\0\11pHYs";
	static const struct {
		const char *what, *p;
		size_t n;
	} cases[] = {
		{ "a line", "precious\n", 9 },
		{ "a page", "precious, and longer than any head is, to be sure",
		    49 },
		{ "a PNG of somebody else", photo, sizeof(photo) },
		{ "an SVG of somebody else",
		    "<?xml version=\"1.0\"?>\n<svg "
		    "xmlns=\"http://www.w3.org/\">",
		    50 },
	};
	char was[64];
	FILE *f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put(path, cases[i].p, cases[i].n);
		errno = 0;
		if (picture() != -1 || errno != EEXIST)
			fail_msg("%s is overwritten", cases[i].what);
		f = fopen(path, "r");
		assert_non_null(f);
		assert_int_equal(fread(was, 1, sizeof(was), f), cases[i].n);
		assert_memory_equal(was, cases[i].p, cases[i].n);
		fclose(f);
	}
	unlink(path);
}

/* Whatever it leads to: a file, or nowhere yet. */
static void
links_are_not_followed(void **state)
{
	char was[16];

	(void)state;
	for (int there = 0; there < 2; there++) {
		if (there)
			put(other, "", 0);
		assert_int_equal(symlink(other, path), 0);
		assert_int_equal(picture(), -1);
		assert_int_equal(errno, EEXIST);
		assert_int_equal(access(other, F_OK), there ? 0 : -1);
		assert_true(readlink(path, was, sizeof(was)) > 0);
		unlink(path);
	}
	unlink(other);
}

/* What has come since it was begun stays, and nothing is left beside it. */
static void
what_comes_meanwhile_stays(void **state)
{
	struct outfile o;

	(void)state;
	assert_int_equal(outfile_open(&o, path), 0);
	put(path, "precious", 8);
	assert_int_equal(outfile_close(&o, 1), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(access(o.part, F_OK), -1);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_ours_is_replaced),
		cmocka_unit_test(all_else_stays),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(what_comes_meanwhile_stays),
	};

	if (mkdtemp(dir) == NULL)
		return (1);
	snprintf(path, sizeof(path), "%s/a.png", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
