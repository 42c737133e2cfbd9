/* Numbers as people read them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/draw/draw.h"

char *
format_count(char *buf, size_t n, uint64_t v)
{
	char digits[24];
	size_t len, out = 0;

	len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, v);
	for (size_t i = 0; i < len && out + 2 < n; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf[out++] = ',';
		if (out + 1 < n)
			buf[out++] = digits[i];
	}
	buf[out] = '\0';
	return (buf);
}

char *
format_short(char *buf, size_t n, double v)
{
	static const char unit[] = " kMGT";
	unsigned i = 0;

	while (fabs(v) >= 999.5 && i < 4) {
		v /= 1000;
		i++;
	}
	if (i == 0)
		snprintf(buf, n, "%.0f", v);
	else
		snprintf(buf, n, "%.*f %c",
		    v < 9.995   ? 2
		    : v < 99.95 ? 1
				: 0,
		    v, unit[i]);
	return (buf);
}

char *
format_bytes(char *buf, size_t n, uint64_t v)
{
	static const char *const units[] = { "KB", "MB", "GB", "TB" };
	double u = (double)v / 1000;
	size_t i = 0;

	if (v < 1000) {
		snprintf(buf, n, "%" PRIu64 " bytes", v);
		return (buf);
	}
	for (; u >= 999.5 && i < 3; i++)
		u /= 1000;
	snprintf(buf, n, "%.*f %s",
	    u >= 99.95   ? 0
	    : u >= 9.995 ? 1
			 : 2,
	    u, units[i]);
	return (buf);
}

char *
format_span(char *buf, size_t n, int64_t ns)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } };
	double v = (double)ns;

	for (size_t i = 0; i < 4; i++) {
		double u = v / units[i].ns;

		if (fabs(u) < 0.9995 && i < 3)
			continue;
		snprintf(buf, n, "%.*f %s",
		    i == 3 || fabs(u) >= 99.95 ? 0
		    : fabs(u) >= 9.995         ? 1
					       : 2,
		    u, units[i].unit);
		break;
	}
	return (buf);
}

static const int64_t tens[] = { 1000000000, 100000000, 10000000, 1000000,
	100000, 10000, 1000, 100, 10, 1 };

/* So many behind the point tell steps of that length apart. */
static unsigned
digits_for(int64_t step_ns)
{
	unsigned digits = 0;

	while (digits < 9 && step_ns < tens[digits])
		digits++;
	return (digits);
}

char *
format_date(char *buf, size_t n, int64_t real_ns)
{
	time_t s = (time_t)(real_ns / 1000000000);
	struct tm tm;

	if (gmtime_r(&s, &tm) == NULL ||
	    strftime(buf, n, "%Y-%m-%d %H:%M:%S", &tm) == 0)
		snprintf(buf, n, "?");
	return (buf);
}

char *
format_day(char *buf, size_t n, int64_t real_ns, int64_t step_ns)
{
	unsigned digits = digits_for(step_ns);
	int64_t at = real_ns + (digits < 9 ? tens[digits] / 2 : 0);
	int64_t day = (int64_t)24 * 3600 * 1000000000, in = at % day;
	int64_t s;

	in += in < 0 ? day : 0;
	s = in / 1000000000;
	snprintf(buf, n, "%02d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60),
	    (int)(s % 60));
	if (digits > 0 && strlen(buf) < n)
		snprintf(buf + strlen(buf), n - strlen(buf), ".%0*" PRId64,
		    (int)digits, in % 1000000000 / tens[digits]);
	return (buf);
}

char *
format_time(char *buf, size_t n, int64_t ns, int64_t step_ns)
{
	uint64_t u = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	unsigned digits = digits_for(step_ns);

	if (digits < 9) { /* round at the last digit shown */
		uint64_t half = (uint64_t)tens[digits] / 2;

		u += half;
	}
	if (digits == 0)
		snprintf(buf, n, "%s%" PRIu64 " s", ns < 0 ? "-" : "",
		    u / 1000000000);
	else
		snprintf(buf, n, "%s%" PRIu64 ".%0*" PRIu64 " s",
		    ns < 0 ? "-" : "", u / 1000000000, (int)digits,
		    u % 1000000000 / (uint64_t)tens[digits]);
	return (buf);
}
