// Structs and classes with functions, for tests/system/classes.sh: a store that
// serves remote calls, what it has, and shapes that inherit.  It prints what
// the compiler says of them: a name, its bytes, and those of its members
// together.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "probe.h"
#include "probe_mutex.h"

struct entry {
	uint64_t key;
	entry *next;
	char row[3];
};

struct table {
	char name[14];
	uint16_t flags;
	probe_mutex lock;
	entry **slot;
	uint32_t grown;
	uint64_t asked;
};

typedef struct table table_t;

struct journal {
	char kind;
	double at[2];
	unsigned open : 3, closed : 5;
};

struct store {
	table_t table;
	const journal *log;
	int sock[3];
};

class shape
{
      public:
	virtual ~shape()
	{
	}
	virtual long area() const
	{
		return 0;
	}

      private:
	int edges = 4;
};

class square : public shape
{
      public:
	long area() const override;
	char side = 3;
};

template <class T> struct pair_of {
	T first;
	char second;
};

union either {
	int i;
	double d;
};

static volatile long sink;

// In the function itself, whose time it is then.
#define work(n)                                                                \
	for (long i_ = 0; i_ < (n)*20; i_++)                                   \
	sink += i_

__attribute__((noinline)) entry *
table_find(const table *t, uint64_t key)
{
	work(20000);
	for (entry *e = t->slot[key % 4]; e != nullptr; e = e->next)
		if (e->key == key)
			return e;
	return nullptr;
}

__attribute__((noinline)) void
table_insert(table_t *t, entry *e)
{
	probe_mutex_lock(&t->lock);
	if (table_find(t, e->key) == nullptr) {
		e->next = t->slot[e->key % 4];
		t->slot[e->key % 4] = e;
	}
	work(50000);
	// a wait, as it is told: not the function's own time
	probe_barrier_enter(1, e->key, 1);
	work(20000);
	probe_barrier_leave(1, e->key, 1);
	probe_mutex_unlock(&t->lock);
}

__attribute__((noinline)) void
store_serve(store *s, entry *e, uint64_t call)
{
	uint32_t put = probe_name("put");

	probe_rpc_begin(call, 8, put);
	table_insert(&s->table, e);
	work(10000);
	probe_rpc_end(call, 8, put);
}

__attribute__((noinline)) long
square::area() const
{
	work(30000);
	return side * side;
}

__attribute__((noinline)) bool
pair_is(pair_of<int> p, either e)
{
	return p.first == e.i;
}

#define MEMBER(type, member) sizeof(static_cast<type *>(nullptr)->member)

static void
tell()
{
	printf("entry %zu %zu\n", sizeof(entry),
	    MEMBER(entry, key) + MEMBER(entry, next) + MEMBER(entry, row));
	printf("table %zu %zu\n", sizeof(table),
	    MEMBER(table, name) + MEMBER(table, flags) + MEMBER(table, lock) +
		MEMBER(table, slot) + MEMBER(table, grown) +
		MEMBER(table, asked));
	printf("journal %zu %zu\n", sizeof(journal),
	    MEMBER(journal, kind) + MEMBER(journal, at) + 1);
	printf("store %zu %zu\n", sizeof(store),
	    MEMBER(store, table) + MEMBER(store, log) + MEMBER(store, sock));
	// a pointer to the table of its functions, and one int
	printf("shape %zu %zu\n", sizeof(shape), sizeof(void *) + sizeof(int));
	// it is in bytes of its base that nothing else was in
	printf("square %zu %zu\n", sizeof(square), sizeof(shape));
	printf("pair_of<int> %zu %zu\n", sizeof(pair_of<int>),
	    sizeof(int) + sizeof(char));
	printf("either %zu %zu\n", sizeof(either), sizeof(either));
}

int
main()
{
	static entry *slots[4], entries[6];
	static journal log;
	store s = {};
	square q;

	probe_mutex_init(&s.table.lock, probe_name("table"));
	s.table.slot = slots;
	s.log = &log;
	tell();
	std::thread caller([&] { sink += q.area(); });
	for (uint64_t i = 0; i < 6; i++) {
		entries[i].key = i % 5;
		store_serve(&s, &entries[i], i + 1);
	}
	caller.join();
	return q.area() == 9 && pair_is({ 1, 'x' }, { 1 }) ? 0 : 1;
}
