/* Cluster files: what good ones mean, and where bad ones are wrong. */
#include "tests/check.h"

#include <stdbool.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "monitord/shell/conf.h"

struct heard {
	char lines[20][400];
	unsigned n;
};

static void
hear(void *arg, const char *line)
{
	struct heard *h = arg;

	if (h->n < 20)
		snprintf(h->lines[h->n], sizeof(h->lines[0]), "%s", line);
	h->n++;
}

static struct conf *
parse(const char *text, struct heard *h, int *code)
{
	h->n = 0;
	return (conf_parse("c.yaml", text, strlen(text), hear, h, code));
}

static void
every_problem_has_its_place(void **state)
{
	static const struct {
		const char *what, *text;
		const char *says; /* of the first line, from its beginning */
		unsigned problems;
	} cases[] = {
		{ "empty", "", "c.yaml:1:1: the file is empty", 1 },
		{ "only a comment", "# nothing\n", "c.yaml:1:1: the file is",
		    1 },
		{ "not YAML", "nodes: [a\nfoo: }\n",
		    "c.yaml:2:4: this is not YAML", 1 },
		{ "a tab", "nodes:\n\t- name: a\n",
		    "c.yaml:2:1: this is not YAML", 1 },
		{ "a list at the top", "- a\n",
		    "c.yaml:1:1: the file: a mapping", 1 },
		{ "unknown key", "nods:\n  - name: a\nnodes:\n  - name: b\n",
		    "c.yaml:1:1: unknown key 'nods'; did you mean 'nodes'?",
		    1 },
		{ "unknown key of a node", "nodes:\n  - name: a\n    hots: b\n",
		    "c.yaml:3:5: unknown key 'hots'; did you mean 'host'?", 1 },
		{ "unknown key like nothing",
		    "nodes:\n  - name: a\n    xyzzyxyzzy: b\n",
		    "c.yaml:3:5: unknown key 'xyzzyxyzzy'; name, launch", 1 },
		{ "no nodes", "log: a.orr\n", "c.yaml:1:1: 'nodes' is missing",
		    1 },
		{ "empty list", "nodes: []\n",
		    "c.yaml:1:8: nodes: at least one was expected", 1 },
		{ "nodes is no list", "nodes: n1\n",
		    "c.yaml:1:8: nodes: a list was expected", 1 },
		{ "a node is no mapping", "nodes:\n  - n1\n",
		    "c.yaml:2:5: nodes: a mapping (key: value) was expected",
		    1 },
		{ "missing name", "nodes:\n  - host: h1\n",
		    "c.yaml:2:5: 'name' is missing", 1 },
		{ "a name is no list", "nodes:\n  - name: [a, b]\n",
		    "c.yaml:2:11: name: a single value was expected, not a "
		    "list",
		    1 },
		{ "empty name", "nodes:\n  - name: ''\n",
		    "c.yaml:2:11: name: a name without blanks was expected",
		    1 },
		{ "wrong type", "nodes:\n  - name: a\n    rings: many\n",
		    "c.yaml:3:12: rings: a whole number from 1 to 65536 was "
		    "expected, not 'many'",
		    1 },
		{ "a ring below a page",
		    "defaults: { ring: 4000 }\nnodes:\n  - name: a\n",
		    "c.yaml:1:19: ring: a size such as 2M (K, M, G), from 4K",
		    1 },
		{ "a spool of nothing",
		    "defaults: { spool: 1M }\nnodes:\n  - name: a\n",
		    "c.yaml:1:20: spool: a size such as 256M (K, M, G), 16M",
		    1 },
		{ "bad size", "defaults: { ring: 2X }\nnodes:\n  - name: a\n",
		    "c.yaml:1:19: ring: a size such as 2M", 1 },
		{ "bad duration",
		    "defaults:\n  flush: 5\nnodes:\n  - name: a\n",
		    "c.yaml:2:10: flush: a duration such as 5ms", 1 },
		{ "bad launcher", "nodes:\n  - name: a\n    launch: srum\n",
		    "c.yaml:3:13: launch: local, ssh or none was expected", 1 },
		{ "bad class", "nodes:\n  - name: a\n    mask: [task, tusk]\n",
		    "c.yaml:3:18: mask: a class of events", 1 },
		{ "bad rule", "probe: [-lock, -lokc]\nnodes:\n  - name: a\n",
		    "c.yaml:1:16: probe: a rule such as -lock", 1 },
		{ "rules are no list", "probe: -lock\nnodes:\n  - name: a\n",
		    "c.yaml:1:8: probe: a list was expected", 1 },
		{ "mask is no list", "nodes:\n  - name: a\n    mask: task\n",
		    "c.yaml:3:11: mask: a list was expected", 1 },
		{ "bad policy", "nodes:\n  - name: a\n    full: drop\n",
		    "c.yaml:3:11: full: discard", 1 },
		{ "bad test clock",
		    "nodes:\n  - name: a\n    test_clock: 2.5\n",
		    "c.yaml:3:17: test_clock: SECONDS,PPM", 1 },
		{ "duplicate node",
		    "nodes:\n  - name: n[1-3]\n  - name: x\n  - name: n2\n",
		    "c.yaml:4:11: name: node 'n2' is defined already, in line "
		    "2",
		    1 },
		{ "duplicate within a range", "nodes:\n  - name: n[1-3,2]\n",
		    "c.yaml:2:11: name: node 'n2' is defined already, in line "
		    "2",
		    1 },
		{ "key twice", "nodes:\n  - name: a\n    name: b\n",
		    "c.yaml:3:5: 'name' is given twice (first in line 2)", 1 },
		{ "range in flow style", "nodes:\n  - { name: n[01-16] }\n",
		    "c.yaml:2:14: this is not YAML: did not find expected ',' "
		    "or '}' while parsing a flow mapping; within { } a range "
		    "wants quotes, as in \"n[01-16]\"",
		    1 },
		{ "open range", "nodes:\n  - name: n[1-3\n",
		    "c.yaml:2:12: name: bad range: this '[' has no ']'", 1 },
		{ "closed range", "nodes:\n  - name: n1]\n",
		    "c.yaml:2:13: name: bad range: this ']' has no '['", 1 },
		{ "backward range", "nodes:\n  - name: n[5-3]\n",
		    "c.yaml:2:15: name: bad range: the end of a range lies "
		    "before",
		    1 },
		{ "quoted bad range", "nodes:\n  - name: \"n[1-x]\"\n",
		    "c.yaml:2:16: name: bad range: a number of at most 9", 1 },
		{ "empty range", "nodes:\n  - name: n[]\n",
		    "c.yaml:2:13: name: bad range: a number", 1 },
		{ "range with rubbish", "nodes:\n  - name: n[1;2]\n",
		    "c.yaml:2:14: name: bad range: ',', '-' or ']'", 1 },
		{ "endless range", "nodes:\n  - name: n[0-999999999]\n",
		    "c.yaml:2:11: name: bad range: more than 4096 names", 1 },
		{ "bad host range",
		    "nodes:\n  - name: n[1-2]\n    host: h[1-\n",
		    "c.yaml:3:12: host: bad range: this '[' has no ']'", 1 },
		{ "ranges of different length",
		    "nodes:\n  - name: n[1-3]\n    host: h[1-2]\n",
		    "c.yaml:3:11: host: stands for 2 hosts, but name for 3",
		    1 },
		{ "a slash in a name", "nodes:\n  - name: a/b\n",
		    "c.yaml:2:11: name: 'a/b' has a slash or colon", 1 },
		{ "bad address", "listen: here\nnodes:\n  - name: a\n",
		    "c.yaml:1:9: listen: tcp:127.0.0.1:PORT or unix:PATH was "
		    "expected",
		    1 },
		{ "bad port",
		    "listen: tcp:127.0.0.1:99999\nnodes:\n  - name: a\n",
		    "c.yaml:1:9: listen: a port from 1 to 65535", 1 },
		{ "an address for everybody",
		    "listen: tcp:0.0.0.0:7420\nnodes:\n  - name: a\n",
		    "c.yaml:1:9: listen: others could reach this address", 1 },
		{ "an address of the world",
		    "nodes:\n  - name: a\nlisten: tcp:10.1.2.3:7420\n",
		    "c.yaml:3:9: listen: others could reach", 1 },
		{ "index neither yes nor no",
		    "index: maybe\nnodes:\n  - name: a\n",
		    "c.yaml:1:8: index: yes, no or a number of events was "
		    "expected, not 'maybe'",
		    1 },
		{ "no file name", "log:\nnodes:\n  - name: a\n",
		    "c.yaml:1:5: log: the name of a file was expected", 1 },
		{ "an option for ssh", "nodes:\n  - name: a\n    host: -oX\n",
		    "c.yaml:3:11: host: the name of a host was expected", 1 },
		{ "many at once",
		    "lisen: x\ndefaults: 3\nnodes:\n  - nam: a\n"
		    "  - name: b\n    rings: 0\n",
		    "c.yaml:1:1: unknown key 'lisen'; did you mean 'listen'?",
		    5 },
	};
	struct heard h;
	struct conf *conf;
	int code, wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		conf = parse(cases[i].text, &h, &code);
		if (conf != NULL)
			fail_msg("%s: was taken", cases[i].what);
		assert_int_equal(code, EX_CONFIG);
		if (strncmp(h.lines[0], cases[i].says, strlen(cases[i].says)) !=
		    0)
			print_error("%s: '%s', not '%s'\n", cases[i].what,
			    h.lines[0], cases[i].says),
			    wrong++;
		if (cases[i].problems != 0 && h.n != cases[i].problems)
			print_error("%s: %u problems (%s)\n", cases[i].what,
			    h.n, h.lines[1]),
			    wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void
the_whole_example_is_understood(void **state)
{
	static const char text[] =
	    "name: lab\n"
	    "log: lab.orr\n"
	    "index: 5000000\n"
	    "listen: tcp:127.0.0.1:7420 # loopback\n"
	    "defaults: { launch: local, ring: 2M, rings: 512, spool: 256M, "
	    "flush: 5ms, mask: [task, message], full: discard }\n"
	    "nodes:\n"
	    "  - name: n[01-03]\n"
	    "    launch: ssh\n"
	    "    host: n[01-03].example\n"
	    "    user: alice\n"
	    "    test_clock: 2.5,100\n"
	    "  - name: m[1,3,5-7]\n"
	    "    ring: 4M\n"
	    "    mask: [lock]\n"
	    "  - name: r[1-2]c[1-2]\n"
	    "    launch: none\n"
	    "    host: front\n";
	struct heard h;
	int code;
	struct conf *c = parse(text, &h, &code);

	(void)state;
	if (c == NULL)
		fail_msg("%s", h.lines[0]);
	assert_int_equal(h.n, 0);
	assert_string_equal(c->name, "lab");
	assert_string_equal(c->log, "lab.orr");
	assert_string_equal(c->index, "5000000");
	assert_string_equal(c->listen, "tcp:127.0.0.1:7420");
	assert_int_equal(c->nnodes, 3 + 5 + 4);
	assert_string_equal(c->nodes[1].name, "n02");
	assert_string_equal(c->nodes[1].host, "n02.example");
	assert_string_equal(c->nodes[1].user, "alice");
	assert_string_equal(c->nodes[1].test_clock, "2.5,100");
	assert_string_equal(c->nodes[1].mask, "task,message");
	assert_int_equal(c->nodes[1].launch, CONF_SSH);
	assert_string_equal(c->nodes[4].name, "m3");
	assert_string_equal(c->nodes[4].host, "m3");
	assert_string_equal(c->nodes[4].ring, "4M");
	assert_string_equal(c->nodes[4].rings, "512");
	assert_string_equal(c->nodes[4].mask, "lock");
	assert_int_equal(c->nodes[4].launch, CONF_LOCAL);
	assert_string_equal(c->nodes[7].name, "m7");
	assert_string_equal(c->nodes[10].name, "r2c1");
	assert_string_equal(c->nodes[10].host, "front");
	assert_int_equal(c->nodes[10].launch, CONF_NONE);
	assert_null(c->nodes[10].user);
	conf_free(c);
}

static void
only_loopback_and_unix_addresses_are_taken(void **state)
{
	static const struct {
		const char *address;
		bool good;
	} cases[] = {
		{ "tcp:127.0.0.1:7420", true },
		{ "tcp:127.9.9.9:1", true },
		{ "tcp:[::1]:7420", true },
		{ "tcp:localhost:7420", true },
		{ "unix:/tmp/a.sock", true },
		{ "unix:relative", false },
		{ "tcp:0.0.0.0:7420", false },
		{ "tcp:[::]:7420", false },
		{ "tcp:192.168.1.2:7420", false },
		{ "tcp:127.0.0.1.example.org:7420", false },
		{ "tcp:127.0.0.1", false },
		{ "tcp::7420", false },
		{ "tcp:127.0.0.1:", false },
		{ "tcp:127.0.0.1:0", false },
		{ "tcp:127.0.0.1:7420x", false },
		{ "tcp:127.0.0.1:-7", false },
		{ "udp:127.0.0.1:7420", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if ((conf_address_problem(cases[i].address) == NULL) !=
		    cases[i].good)
			fail_msg("'%s'", cases[i].address);
}

/* Files that would take minutes or gigabytes are refused by their size. */
static void
what_is_too_much_is_refused_in_a_sentence(void **state)
{
	static const struct {
		const char *head, *again, *says;
	} cases[] = {
		{ "nodes: ", "[", "c.yaml:1:23: nested more than 16 deep" },
		{ "nodes: ", "{a: ", "c.yaml:1:68: nested more than 16 deep" },
		{ "nodes:\n  - name: a\n    mask: [", "task, ",
		    "c.yaml:3:11: mask: 64 at most" },
		{ "nodes:\n", "  - name: a\n", "c.yaml:2:3: nodes: 10000 at" },
		{ "nodes: [{ name: a", ", b: c",
		    "c.yaml:1:9: more than 64 keys" },
		{ "x: [", "a,", "c.yaml:1:499995: more than 250000 " },
		{ "nodes: [", "*a, ", "c.yaml:1:9: this is not YAML" },
	};
	enum {
		MOST = 510000
	};
	struct heard h;
	char *text = malloc(MOST + 100);
	int code;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = strlen(cases[i].head), k = strlen(cases[i].again);
		bool list = strchr(cases[i].head, '[') != NULL;

		memcpy(text, cases[i].head, n);
		for (; n + k < MOST; n += k)
			memcpy(text + n, cases[i].again, k);
		text[n] = '\0';
		if (list)
			strcpy(text + n,
			    strchr(cases[i].head, '{') != NULL ? "}]" : "]");
		assert_null(parse(text, &h, &code));
		assert_int_equal(code, EX_CONFIG);
		if (strncmp(h.lines[0], cases[i].says, strlen(cases[i].says)) !=
		    0)
			fail_msg("case %zu: %s", i, h.lines[0]);
	}
	free(text);
}

static void
unreadable_files_are_no_input(void **state)
{
	struct heard h = { .n = 0 };
	int code;

	(void)state;
	assert_null(conf_read("/nonexistent/c.yaml", hear, &h, &code));
	assert_int_equal(code, EX_NOINPUT);
	assert_string_equal(h.lines[0],
	    "/nonexistent/c.yaml: No such file or directory");
	assert_null(conf_read("/", hear, &h, &code));
	assert_int_equal(code, EX_NOINPUT);
}

static void
no_file_is_this_machine(void **state)
{
	struct conf *c = conf_local();

	(void)state;
	assert_non_null(c);
	assert_int_equal(c->nnodes, 1);
	assert_string_equal(c->nodes[0].name, "local");
	assert_int_equal(c->nodes[0].launch, CONF_LOCAL);
	conf_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_problem_has_its_place),
		cmocka_unit_test(the_whole_example_is_understood),
		cmocka_unit_test(only_loopback_and_unix_addresses_are_taken),
		cmocka_unit_test(what_is_too_much_is_refused_in_a_sentence),
		cmocka_unit_test(unreadable_files_are_no_input),
		cmocka_unit_test(no_file_is_this_machine),
	};

	return (
	    cmocka_run_group_tests_name("monitord conf", tests, NULL, NULL));
}
