/*
 * Lines on stderr: program, message, newline.
 *
 * A line that is the same as the one before is only counted; the count is
 * printed before the next different line, so a peer that fails a thousand
 * times a second does not fill a disk.  What is no plain text is shown as such
 * (plain.h): names of others are in most lines.
 */
#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

#define LINE_BYTES 1024

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *log_name = "orrery";
static int log_verbose;
static char log_last[LINE_BYTES];
static unsigned log_repeats;

void
log_init(const char *program, int verbose)
{
	const char *slash = strrchr(program, '/');

	log_name = slash != NULL ? slash + 1 : program;
	log_verbose = verbose;
}

static void
log_line(const char *fmt, va_list ap, int error)
{
	char said[LINE_BYTES], line[LINE_BYTES];
	int n;

	n = vsnprintf(said, sizeof(said), fmt, ap);
	if (error != 0 && n >= 0 && (size_t)n < sizeof(said))
		snprintf(said + n, sizeof(said) - (size_t)n, ": %s",
		    strerror(error));
	plain(line, sizeof(line), said, strlen(said));
	pthread_mutex_lock(&log_lock);
	if (strcmp(line, log_last) == 0) {
		log_repeats++;
	} else {
		if (log_repeats > 0)
			fprintf(stderr, "%s: (%u more like the last line)\n",
			    log_name, log_repeats);
		log_repeats = 0;
		memcpy(log_last, line, strlen(line) + 1);
		fprintf(stderr, "%s: %s\n", log_name, line);
	}
	pthread_mutex_unlock(&log_lock);
}

void
log_warn(const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	if (log_verbose < 0)
		return;
	va_start(ap, fmt);
	log_line(fmt, ap, saved);
	va_end(ap);
	errno = saved;
}

void
log_warnx(const char *fmt, ...)
{
	va_list ap;

	if (log_verbose < 0)
		return;
	va_start(ap, fmt);
	log_line(fmt, ap, 0);
	va_end(ap);
}

void
log_info(const char *fmt, ...)
{
	va_list ap;

	if (log_verbose < 1)
		return;
	va_start(ap, fmt);
	log_line(fmt, ap, 0);
	va_end(ap);
}

void
log_debug(const char *fmt, ...)
{
	va_list ap;

	if (log_verbose < 2)
		return;
	va_start(ap, fmt);
	log_line(fmt, ap, 0);
	va_end(ap);
}

void
fatal(int code, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	log_line(fmt, ap, saved);
	va_end(ap);
	exit(code);
}

void
fatalx(int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(fmt, ap, 0);
	va_end(ap);
	exit(code);
}
