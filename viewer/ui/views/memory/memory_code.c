/*
 * Names of the code where memory was asked for.
 *
 * Parts of stacks are told as "libm.so.6+0x1139"; what is there is found out
 * later, and is a name that was "libm.so.6#1b2c3d4e+0x1139" before, with the
 * beginning of the file's build id.  They are found by halves.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heap_code {
	char text[80]; /* without the build id */
	uint32_t name;
};

static int
by_text(const void *a, const void *b)
{
	const struct heap_code *x = a, *y = b;

	return (strcmp(x->text, y->text));
}

static void
without_build_id(char *to, size_t n, const char *text)
{
	size_t file = strcspn(text, "#");
	const char *offset = strchr(text + file, '+');

	snprintf(to, n, "%.*s%s", (int)file, text,
	    offset == NULL ? "" : offset);
}

void
memory_code_find(struct ui *ui)
{
	struct heap_figures *f = &ui->figures.heap;
	uint32_t n = model_names(ui->model), k = 0;
	struct heap_code *code = realloc(f->code, (n + 1) * sizeof(*code));

	if (code == NULL)
		return;
	for (uint32_t i = 0; i < n; i++) {
		const char *text = model_name_code(ui->model, i);

		if (text == NULL)
			continue;
		without_build_id(code[k].text, sizeof(code[k].text), text);
		code[k++].name = i;
	}
	if (k > 1)
		qsort(code, k, sizeof(*code), by_text);
	f->code = code;
	f->ncode = k;
	f->names = n;
}

static const struct heap_code *
find(const struct heap_figures *f, const char *text)
{
	struct heap_code key;

	snprintf(key.text, sizeof(key.text), "%s", text);
	return (f->ncode == 0 ? NULL
			      : bsearch(&key, f->code, f->ncode,
				    sizeof(*f->code), by_text));
}

/* The first part as it is told, into buf; NULL: it is no code. */
static const struct heap_code *
code_of(const struct ui *ui, const char *stack, char buf[MEMORY_PLACE_BYTES])
{
	const char *end = strstr(stack, HEAP_CALLER);

	snprintf(buf, MEMORY_PLACE_BYTES, "%.*s",
	    (int)(end == NULL ? strlen(stack) : (size_t)(end - stack)), stack);
	return (find(&ui->figures.heap, buf));
}

uint32_t
memory_code_name(const struct ui *ui, const char *stack)
{
	char buf[MEMORY_PLACE_BYTES];
	const struct heap_code *code = code_of(ui, stack, buf);

	return (code == NULL ? 0 : code->name);
}

const char *
memory_code(const struct ui *ui, const char *stack,
    char buf[MEMORY_PLACE_BYTES])
{
	const struct heap_code *code = code_of(ui, stack, buf);
	const char *file;
	uint32_t line = 0;

	if (code == NULL)
		return (buf);
	file = model_name_place(ui->model, code->name, &line);
	snprintf(buf, MEMORY_PLACE_BYTES,
	    line > 0 ? "%.120s  %.100s:%u" : "%.120s",
	    label_name(ui->model, code->name), file == NULL ? "" : file, line);
	return (buf);
}
