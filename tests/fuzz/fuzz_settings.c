/*
 * The viewer's settings file and what is typed: any bytes are settings or one
 * line of complaint, and what was taken can be written and read again.  Lines
 * are looked up as keys, and tried as times and figures are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"
#include "ui/desk/parse.h"
#include "ui/input/bindings.h"
#include "ui/whole/config.h"
#include "ui/whole/frame.h"

#define LINE_BYTES 256

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return ("malloc_context_size=8:quarantine_size_mb=4");
}

static char path[64];
static int fd;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	log_init("fuzz", -1);
	fd = memfd_create("settings", MFD_CLOEXEC);
	if (fd == -1)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return (0);
}

static void
try_line(const char *s)
{
	const struct binding *b = binding_find(s);
	int32_t width, height;
	int64_t t0, t1;
	uint64_t n;
	int q;

	if (b != NULL && b->command != NULL)
		(void)binding_hold(b->command);
	(void)parse_time(s, &t0);
	(void)parse_number(s, &n);
	(void)parse_memory(s, &n);
	if ((parse_range(s, &t0, &t1) == 0 && t1 <= t0) ||
	    (parse_scale(s, &q) == 0 && (q < 16 || q > 128)) ||
	    (parse_size(s, &width, &height) == 0 &&
		(width < 64 || width > 16384 || height < 64 || height > 16384)))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct ui *ui = ui_new(&palette_dark);
	struct config c = { 0 };
	char line[LINE_BYTES];
	const uint8_t *end;
	size_t len;

	if (ui == NULL || ftruncate(fd, 0) == -1 ||
	    pwrite(fd, data, n, 0) != (ssize_t)n)
		abort();
	config_load(path, ui, &c);
	for (int i = 0; i < 8 && n > 0; i++) {
		end = memchr(data, '\n', n);
		len = end == NULL ? n : (size_t)(end - data);
		snprintf(line, sizeof(line), "%.*s",
		    (int)(len < LINE_BYTES ? len : LINE_BYTES),
		    (const char *)data);
		try_line(line);
		len += end != NULL;
		data += len;
		n -= len;
	}
	ui_free(ui);
	return (0);
}
