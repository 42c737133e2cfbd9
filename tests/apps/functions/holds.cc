// Classes whose functions ask for memory, for tests/system/classes.sh: what was
// asked for by each, and what of it is never given back.
#include <cstdio>
#include <cstdlib>

static void *volatile kept;

static void *
keep(size_t bytes)
{
	return kept = malloc(bytes);
}

// 1000 bytes that stay, and 3000 that do not.
class shelf
{
      public:
	__attribute__((noinline)) shelf() : boxes(keep(1000))
	{
		kept = malloc(3000);
		free(kept);
	}
	void more();

      private:
	void *boxes;
	char *rest = nullptr;
};

// 500 more, by way of operator new.
__attribute__((noinline)) void
shelf::more()
{
	rest = new char[500];
	kept = rest;
}

struct ledger {
	void *page;
};

// 200, by a function that is of no class.
__attribute__((noinline)) void
ledger_open(ledger *l)
{
	l->page = keep(200);
	kept = l->page;
}

int
main()
{
	shelf *s = new shelf(); // by main, which is of no class
	ledger l;

	for (int i = 0; i < 3; i++)
		s->more();
	ledger_open(&l);
	kept = s;
	return 0;
}
