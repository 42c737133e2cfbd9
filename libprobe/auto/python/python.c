/*
 * Functions and threads of a Python program that has no word about us
 * (`monitorctl run --python`): CPython, 3.9 and later.
 *
 * An audit hook, which may be set before there is an interpreter, sees when the
 * program's own code begins; there the interpreter is asked to tell of each
 * call and return (a profile function, as cProfile has it).  Each thread must
 * be asked by itself: threading calls what we leave with it (as by setprofile)
 * at the beginning of each.  A program with a profiler of its own keeps it, and
 * we are not told from there on.
 *
 * What a function is called is asked for at its first call and stays with its
 * code (an "extra" of it); a call costs no look-up after that.  Nothing of
 * Python is needed to build this: what it offers is found by name.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libprobe/auto/wrap/auto.h"
#include "libprobe/meet/bulk.h"

/* As in Python's own headers; the numbers are part of its binary interface. */
typedef struct PyObject PyObject;
typedef int profile(PyObject *, PyObject *frame, int what, PyObject *);
struct method {
	const char *name;
	PyObject *(*call)(PyObject *, PyObject *arguments);
	int flags;
	const char *text;
};
enum {
	CALL = 0,   /* PyTrace_CALL */
	RETURN = 3, /* PyTrace_RETURN: by an exception, too, and by yield */
	VARARGS = 1 /* METH_VARARGS */
};

static struct python {
	void (*set_profile)(profile *, PyObject *);
	PyObject *(*new_function)(struct method *, PyObject *, PyObject *);
	PyObject *(*code_of)(PyObject *frame);
	intptr_t (*extra_index)(void (*)(void *));
	int (*extra_get)(PyObject *code, intptr_t, void **);
	int (*extra_set)(PyObject *code, intptr_t, void *);
	PyObject *(*attribute)(PyObject *, const char *);
	PyObject *(*call)(PyObject *, PyObject *arguments, PyObject *words);
	PyObject *(*tuple)(intptr_t n, ...);
	PyObject *(*modules)(void);
	PyObject *(*item)(PyObject *, const char *);
	const char *(*utf8)(PyObject *);
	long (*number)(PyObject *);
	int (*set)(PyObject *, const char *, PyObject *);
	void (*keep)(PyObject *), (*let_go)(PyObject *);
	void (*forget_error)(void);
	PyObject *none;
} py BULK;

static const struct {
	size_t at;
	const char *name, *newer; /* newer: from 3.12 on; NULL: the same */
} wanted[] = {
#define W(member, name, newer)                                                 \
	{                                                                      \
		offsetof(struct python, member), name, newer                   \
	}
	W(set_profile, "PyEval_SetProfile", NULL),
	W(new_function, "PyCFunction_NewEx", NULL),
	W(code_of, "PyFrame_GetCode", NULL),
	W(extra_index, "_PyEval_RequestCodeExtraIndex",
	    "PyUnstable_Eval_RequestCodeExtraIndex"),
	W(extra_get, "_PyCode_GetExtra", "PyUnstable_Code_GetExtra"),
	W(extra_set, "_PyCode_SetExtra", "PyUnstable_Code_SetExtra"),
	W(attribute, "PyObject_GetAttrString", NULL),
	W(call, "PyObject_Call", NULL),
	W(tuple, "PyTuple_Pack", NULL),
	W(modules, "PyImport_GetModuleDict", NULL),
	W(item, "PyDict_GetItemString", NULL),
	W(utf8, "PyUnicode_AsUTF8", NULL),
	W(number, "PyLong_AsLong", NULL),
	W(set, "PyObject_SetAttrString", NULL),
	W(keep, "Py_IncRef", NULL),
	W(let_go, "Py_DecRef", NULL),
	W(forget_error, "PyErr_Clear", NULL),
	W(none, "_Py_NoneStruct", NULL),
#undef W
};

/* Which extra of a code is its name; -1: not begun, -2: cannot be had. */
static intptr_t names = -1;
static __thread unsigned depth; /* calls told, and not their returns */
static __thread bool knows;     /* this thread tells */

static bool
python_find(void)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		void *p = dlsym(RTLD_DEFAULT, wanted[i].name);

		if (p == NULL && wanted[i].newer != NULL)
			p = dlsym(RTLD_DEFAULT, wanted[i].newer);
		if (p == NULL)
			return (false);
		memcpy((char *)&py + wanted[i].at, &p, sizeof(p));
	}
	return (true);
}

/* The text of an attribute; *held is to be let go when it has been used. */
static const char *
text_of(PyObject *o, const char *name, PyObject **held)
{
	*held = py.attribute(o, name);
	return (*held == NULL ? NULL : py.utf8(*held));
}

static profile profile_cb;

/* A module that the program has loaded; NULL: it has not. */
static PyObject *
module(const char *name)
{
	return (py.item(py.modules(), name));
}

static PyObject *
current_thread(void)
{
	PyObject *m = module("threading"), *arguments, *thread = NULL;
	PyObject *function =
	    m == NULL ? NULL : py.attribute(m, "current_thread");

	if (function == NULL)
		return (NULL);
	if ((arguments = py.tuple(0)) != NULL) {
		thread = py.call(function, arguments, NULL);
		py.let_go(arguments);
	}
	py.let_go(function);
	return (thread);
}

static void
say_thread(void)
{
	PyObject *held, *thread = current_thread();
	const char *name;

	if (thread == NULL)
		return;
	if ((name = text_of(thread, "name", &held)) != NULL)
		probe_thread_name(name);
	if (held != NULL)
		py.let_go(held);
	py.let_go(thread);
}

/* threading calls it for whatever its thread does first. */
static PyObject *
thread_cb(PyObject *self, PyObject *arguments)
{
	(void)self;
	(void)arguments;
	if (!knows) {
		knows = true;
		say_thread();
		py.forget_error();
		py.set_profile(profile_cb, NULL);
	}
	py.keep(py.none);
	return (py.none);
}

/* Threads that begin from now on call us, unless they call somebody else. */
static void
leave_with_threading(void)
{
	static struct method method = { "orrery", thread_cb, VARARGS, NULL };
	static bool left;
	PyObject *m, *before, *function;

	if (left || (m = module("threading")) == NULL)
		return;
	before = py.attribute(m, "_profile_hook");
	left = before != NULL; /* else it is being loaded */
	if (before == py.none &&
	    (function = py.new_function(&method, NULL, NULL)) != NULL) {
		(void)py.set(m, "_profile_hook", function);
		py.let_go(function);
	}
	if (before != NULL)
		py.let_go(before);
	py.forget_error();
}

/* Class.method where that is known (3.11), file and line of its def. */
static uint32_t
code_ask(PyObject *code)
{
	PyObject *held[3];
	const char *name = text_of(code, "co_qualname", &held[0]), *file;
	uint32_t line = 0, id;

	if (name == NULL) {
		py.forget_error();
		name = text_of(code, "co_name", &held[0]);
	}
	file = text_of(code, "co_filename", &held[1]);
	held[2] = py.attribute(code, "co_firstlineno");
	if (held[2] != NULL)
		line = (uint32_t)py.number(held[2]);
	id = probe_name_at(name != NULL ? name : "?", file, line);
	for (int i = 0; i < 3; i++) {
		if (held[i] != NULL)
			py.let_go(held[i]);
	}
	py.forget_error();
	leave_with_threading(); /* Thread.start is one that is called first */
	(void)py.extra_set(code, names, (void *)((uintptr_t)id << 1 | 1));
	return (id);
}

static uint32_t
frame_name(PyObject *frame)
{
	PyObject *code = py.code_of(frame);
	void *extra = NULL; /* its name, and a bit that it has been asked */
	uint32_t name;

	(void)py.extra_get(code, names, &extra);
	name = (uint32_t)((uintptr_t)extra >> 1);
	if (extra == NULL)
		name = code_ask(code);
	py.let_go(code);
	return (name);
}

static int
profile_cb(PyObject *self, PyObject *frame, int what, PyObject *value)
{
	(void)self;
	(void)value;
	if (what == CALL) {
		depth++;
		probe_enter(NULL, frame_name(frame));
	} else if (what == RETURN && depth > 0) {
		depth--; /* what was called before we were there is not told */
		probe_leave(NULL, frame_name(frame));
	}
	return (0);
}

/* A child has the one thread that has forked; its calls begin anew. */
static void
child_cb(void)
{
	depth = 0;
}

static int
audit_cb(const char *event, PyObject *arguments, void *data)
{
	(void)arguments;
	(void)data;
	if (names == -1 && strncmp(event, "cpython.run_", 12) == 0) {
		names = -2;
		if (!python_find())
			return (0);
		names = py.extra_index(NULL);
		if (names < 0)
			return (0);
		knows = true;
		(void)pthread_atfork(NULL, NULL, child_cb);
		py.set_profile(profile_cb, NULL);
	}
	return (0);
}

__attribute__((constructor)) static void
python_begin(void)
{
	int (*add)(int (*)(const char *, PyObject *, void *), void *);
	const char *wish = getenv("ORRERY_PYTHON");
	void *p;

	if (wish == NULL || strcmp(wish, "1") != 0)
		return;
	p = dlsym(RTLD_DEFAULT, "PySys_AddAuditHook");
	if (p == NULL)
		return;
	memcpy(&add, &p, sizeof(p));
	(void)add(audit_cb, NULL);
}
