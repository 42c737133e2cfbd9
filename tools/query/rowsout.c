/*
 * A table is as wide as its first rows, which are kept back to find that out;
 * later ones that are wider stand out.  Text is written so that a terminal can
 * be trusted with it.
 */
#include "rowsout.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

#define KEPT_MAX 1000 /* rows */

struct rowsout {
	enum rowsout_form form;
	sqlite3_stmt *stmt;
	int columns;
	char **kept; /* rows of columns */
	size_t nkept, cap, rows;
	int *width;
	bool *right; /* it is a number */
	bool widths;
};

struct rowsout *
rowsout_new(enum rowsout_form form, sqlite3_stmt *stmt)
{
	struct rowsout *r = calloc(1, sizeof(*r));
	size_t n = (size_t)sqlite3_column_count(stmt);

	if (r == NULL)
		return (NULL);
	*r = (struct rowsout){ .form = form,
		.stmt = stmt,
		.columns = (int)n,
		.width = calloc(n + 1, sizeof(*r->width)),
		.right = calloc(n + 1, sizeof(*r->right)) };
	if (r->width == NULL || r->right == NULL) {
		free(r->width);
		free(r->right);
		free(r);
		return (NULL);
	}
	for (size_t i = 0; form == ROWSOUT_CSV && i < n; i++)
		printf("%s%s", sqlite3_column_name(stmt, (int)i),
		    i + 1 < n ? "," : "\n");
	if (form == ROWSOUT_JSON)
		putchar('[');
	return (r);
}

/* Characters, for the width. */
static int
characters(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text++)
		n += (*text & 0xc0) != 0x80;
	return (n);
}

/* A value as it is shown, to be freed; NULL: ENOMEM. */
static char *
value(const struct rowsout *r, int column)
{
	const void *p;
	char *text;
	size_t n;

	if (sqlite3_column_type(r->stmt, column) == SQLITE_BLOB) {
		p = sqlite3_column_blob(r->stmt, column);
		n = (size_t)sqlite3_column_bytes(r->stmt, column);
		if ((text = malloc(2 * n + 1)) == NULL)
			return (NULL);
		text[0] = '\0';
		for (size_t i = 0; i < n; i++)
			snprintf(text + 2 * i, 3, "%02x",
			    ((const uint8_t *)p)[i]);
		return (text);
	}
	if (sqlite3_column_type(r->stmt, column) == SQLITE_NULL)
		return (strdup(""));
	p = sqlite3_column_text(r->stmt, column);
	n = (size_t)sqlite3_column_bytes(r->stmt, column);
	if (p == NULL || (text = malloc(PLAIN_BYTES(n))) == NULL)
		return (NULL);
	(void)plain(text, PLAIN_BYTES(n), p, n);
	return (text);
}

static void
put_cell(const struct rowsout *r, int column, const char *text)
{
	int pad = r->width[column] - characters(text);

	if (column > 0)
		fputs("  ", stdout);
	if (r->right[column])
		printf("%*s%s", pad > 0 ? pad : 0, "", text);
	else if (column + 1 < r->columns)
		printf("%s%*s", text, pad > 0 ? pad : 0, "");
	else
		fputs(text, stdout);
}

static void
put_line(const struct rowsout *r, char *const *cell)
{
	for (int i = 0; i < r->columns; i++)
		put_cell(r, i, cell[i]);
	putchar('\n');
}

/* What was kept back, now that it is known how wide it is. */
static void
put_kept(struct rowsout *r)
{
	r->widths = true;
	for (int i = 0; i < r->columns; i++)
		put_cell(r, i, sqlite3_column_name(r->stmt, i));
	if (r->columns > 0)
		putchar('\n');
	for (size_t k = 0; k < r->nkept; k++) {
		put_line(r, &r->kept[k * (size_t)r->columns]);
		for (int i = 0; i < r->columns; i++)
			free(r->kept[k * (size_t)r->columns + (size_t)i]);
	}
	r->nkept = 0;
}

static void
widen(struct rowsout *r, int column, const char *text)
{
	int n = characters(text);
	int type = sqlite3_column_type(r->stmt, column);

	if (r->nkept == 0)
		r->width[column] =
		    characters(sqlite3_column_name(r->stmt, column));
	if (n > r->width[column])
		r->width[column] = n;
	r->right[column] |= type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static int
keep_row(struct rowsout *r)
{
	size_t n = (size_t)r->columns, at = r->nkept * n;
	char **p;

	if (r->nkept == r->cap) {
		size_t cap = r->cap == 0 ? 16 : r->cap * 2;

		if ((p = reallocarray(r->kept, cap * n + 1, sizeof(*p))) ==
		    NULL)
			return (-1);
		r->kept = p;
		r->cap = cap;
	}
	for (size_t i = 0; i < n; i++) {
		if ((r->kept[at + i] = value(r, (int)i)) == NULL) {
			while (i > 0)
				free(r->kept[at + --i]);
			return (-1);
		}
		widen(r, (int)i, r->kept[at + i]);
	}
	if (++r->nkept == KEPT_MAX)
		put_kept(r);
	return (0);
}

static int
table_row(struct rowsout *r)
{
	char *text;

	if (!r->widths)
		return (keep_row(r));
	for (int i = 0; i < r->columns; i++) {
		if ((text = value(r, i)) == NULL)
			return (-1);
		put_cell(r, i, text);
		free(text);
	}
	putchar('\n');
	return (0);
}

static int
csv_row(struct rowsout *r)
{
	char *text;

	for (int i = 0; i < r->columns; i++) {
		bool quoted = sqlite3_column_type(r->stmt, i) == SQLITE_TEXT;

		if ((text = value(r, i)) == NULL)
			return (-1);
		if (i > 0)
			putchar(',');
		if (quoted)
			putchar('"');
		for (const char *p = text; *p != '\0'; p++) {
			if (*p == '"')
				putchar('"');
			putchar(*p);
		}
		if (quoted)
			putchar('"');
		free(text);
	}
	putchar('\n');
	return (0);
}

static void
put_json(const char *text)
{
	putchar('"');
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '"' || *p == '\\')
			putchar('\\');
		putchar(*p);
	}
	putchar('"');
}

static int
json_row(struct rowsout *r)
{
	char *text;
	int type;

	fputs(r->rows == 0 ? "\n" : ",\n", stdout);
	for (int i = 0; i < r->columns; i++) {
		type = sqlite3_column_type(r->stmt, i);
		if ((text = value(r, i)) == NULL)
			return (-1);
		fputs(i == 0 ? "  { " : ", ", stdout);
		put_json(sqlite3_column_name(r->stmt, i));
		fputs(": ", stdout);
		if (type == SQLITE_TEXT || type == SQLITE_BLOB)
			put_json(text);
		else /* no JSON is infinite */
			fputs(type == SQLITE_NULL || strchr(text, 'f') != NULL
				  ? "null"
				  : text,
			    stdout);
		free(text);
	}
	fputs(" }", stdout);
	return (0);
}

int
rowsout_row(struct rowsout *r)
{
	static int (*const row[])(struct rowsout *) = {
		[ROWSOUT_TABLE] = table_row,
		[ROWSOUT_CSV] = csv_row,
		[ROWSOUT_JSON] = json_row,
	};
	int rc = row[r->form](r);

	r->rows++;
	return (ferror(stdout) ? -1 : rc);
}

int
rowsout_end(struct rowsout *r, bool whole)
{
	if (r->form == ROWSOUT_TABLE && !r->widths && (whole || r->nkept > 0)) {
		for (int i = 0; r->nkept == 0 && i < r->columns; i++)
			r->width[i] =
			    characters(sqlite3_column_name(r->stmt, i));
		put_kept(r);
	}
	if (r->form == ROWSOUT_JSON)
		fputs(r->rows > 0 ? "\n]\n" : "]\n", stdout);
	free(r->kept);
	free(r->width);
	free(r->right);
	free(r);
	return (ferror(stdout) ? -1 : 0);
}
