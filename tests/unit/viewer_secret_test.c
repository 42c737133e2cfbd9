/*
 * The secret of the cache is one for all who use the cache, and is believed
 * when only this user can have read or made it; a seal is SipHash.
 */
#include "tests/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/secret.h"

static char dir[64], path[80], other[80];

static int
setup(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/orrery-secret.XXXXXX");
	if (mkdtemp(dir) == NULL)
		return (-1);
	snprintf(path, sizeof(path), "%s/secret", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	return (0);
}

static int
teardown(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	return (rmdir(dir)); /* nothing else was left there */
}

static void
it_is_made_once(void **state)
{
	uint8_t a[SEAL_SECRET_BYTES] = { 0 }, b[SEAL_SECRET_BYTES] = { 0 };
	uint8_t none[SEAL_SECRET_BYTES] = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(secret_of(dir, false, a), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(secret_of(dir, true, a), 0);
	assert_int_equal(secret_of(dir, true, b), 0);
	assert_memory_equal(a, b, sizeof(a));
	assert_memory_not_equal(a, none, sizeof(a));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void
one_that_others_know_is_none(void **state)
{
	uint8_t a[SEAL_SECRET_BYTES];

	(void)state;
	assert_int_equal(secret_of(dir, true, a), 0);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(secret_of(dir, true, a), -1);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(secret_of(dir, true, a), 0);
	/* of another length, by way of a link, no file */
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink("other", path), 0);
	assert_int_equal(secret_of(dir, true, a), -1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(truncate(other, 15), 0);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(secret_of(dir, true, a), -1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(secret_of(dir, true, a), -1);
}

/* The example of the paper, and others of its reference implementation. */
static void
a_seal_is_siphash(void **state)
{
	static const struct {
		size_t n;
		uint64_t seal;
	} cases[] = {
		{ 0, UINT64_C(0x726fdb47dd0e0e31) },
		{ 8, UINT64_C(0x93f5f5799a932462) },
		{ 15, UINT64_C(0xa129ca6149be45e5) },
	};
	uint8_t secret[SEAL_SECRET_BYTES], text[16];

	(void)state;
	for (uint8_t i = 0; i < 16; i++)
		secret[i] = text[i] = i;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(seal(secret, text, cases[i].n) == cases[i].seal);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_made_once),
		cmocka_unit_test(one_that_others_know_is_none),
		cmocka_unit_test(a_seal_is_siphash),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}
