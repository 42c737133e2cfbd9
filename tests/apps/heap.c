/*
 * A program that knows nothing of Orrery and is hard on whoever watches its
 * memory: pieces that wander from thread to thread, children that are forked in
 * a thread, a handler that asks for memory, and more stacks than anybody keeps.
 * It prints what it has done; tests/system/heap.sh runs it with
 * libprobe-auto.so and without.
 *
 *	heap [rounds [stacks]]
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 4
#define DEEP    9 /* frames between the first and the last */
#define MAPPED  (3u << 20)

/* operator new and delete */
void *_Znwm(size_t);
void *_ZnwmSt11align_val_t(size_t, size_t);
void _ZdlPv(void *);
void _ZdlPvmSt11align_val_t(void *, size_t, size_t);

static long rounds = 2000, stacks = 3000;
static void *slot[THREADS]; /* by turns everybody's */
static volatile sig_atomic_t handled;

static void
need(int is, const char *what)
{
	if (is)
		return;
	printf("failed: %s\n", what);
	exit(1);
}

/* Takes what is in a slot, makes it larger or smaller, and puts it back. */
static void *
wander(void *arg)
{
	uint32_t x = 1 + (uint32_t)(uintptr_t)arg;

	for (long i = 0; i < rounds; i++) {
		void *p, *mine = NULL;

		x = x * 1664525 + 1013904223;
		p = __atomic_exchange_n(&slot[x >> 8 & (THREADS - 1)], mine,
		    __ATOMIC_ACQ_REL);
		p = realloc(p, 1100 + (x >> 12 & 4095));
		need(p != NULL, "realloc");
		memset(p, 'x', 1);
		mine = __atomic_exchange_n(&slot[x >> 10 & (THREADS - 1)], p,
		    __ATOMIC_ACQ_REL);
		free(mine);
	}
	return (NULL);
}

/* Every function that gives memory out. */
static void *
each_kind(void *unused)
{
	volatile size_t huge = SIZE_MAX / 2;
	void *p[9];

	(void)unused;
	p[0] = calloc(3, 7);
	p[1] = reallocarray(NULL, 5, 9);
	p[2] = aligned_alloc(64, 128);
	need(posix_memalign(&p[3], 256, 100) == 0, "posix_memalign");
	p[4] = memalign(32, 10);
	p[5] = valloc(1);
	p[6] = pvalloc(1);
	p[7] = _Znwm(9077);
	p[8] = _ZnwmSt11align_val_t(64, 64);
	for (int i = 0; i < 7; i++) {
		need(p[i] != NULL, "memory");
		free(p[i]);
	}
	_ZdlPv(p[7]);
	_ZdlPvmSt11align_val_t(p[8], 64, 64);
	need(realloc(malloc(10), huge) == NULL, "no memory"); /* left */
	need(reallocarray(NULL, huge, 4) == NULL, "no product");
	return (NULL);
}

/* A child that goes on with memory of its parent, and leaves some. */
static void *
forks(void *unused)
{
	void *p = malloc(9555);
	int status;
	pid_t pid;

	(void)unused;
	for (int i = 0; i < 3; i++) {
		pid = fork();
		if (pid == 0) {
			free(p);
			p = malloc(9666);
			exit(p == NULL);
		}
		need(waitpid(pid, &status, 0) == pid && status == 0, "child");
	}
	free(p);
	pthread_exit(NULL);
}

static void
handler_cb(int sig)
{
	void *p = malloc(9033);

	(void)sig;
	free(p);
	handled++;
}

/* Code that has something else in the register of the frame pointer. */
#if defined(__x86_64__)
void *odd_frame(size_t n, uintptr_t frame);
__asm__(".text\n"
	".type odd_frame, @function\n"
	"odd_frame:\n"
	"	push %rbp\n"
	"	mov %rsi, %rbp\n"
	"	call malloc@PLT\n"
	"	pop %rbp\n"
	"	ret\n"
	".size odd_frame, . - odd_frame\n");

static void
odd_frames(void)
{
	static const uintptr_t odd[] = { 0, 8, (uintptr_t)-8, (uintptr_t)-16,
		(uintptr_t)-24, (uintptr_t)1 << 63, 12345 };
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		free(odd_frame(9044, odd[i]));
		free(odd_frame(9044, here + odd[i]));
	}
	/* as far as the stack's end */
	for (uintptr_t up = 0; up < 1 << 16; up += 8)
		free(odd_frame(9044, here + up));
}
#else
static void
odd_frames(void)
{
}
#endif

/* A stack for each way through these: two bits of it choose a frame. */
typedef void *step(unsigned way, int left);
static step *const steps[4];

#define STEP(name)                                                             \
	__attribute__((noinline)) static void *name(unsigned way, int left)    \
	{                                                                      \
		void *p = left == 0 ? malloc(9016)                             \
				    : steps[way & 3](way >> 2, left - 1);      \
                                                                               \
		__asm__ __volatile__("" : : "r"(#name));                       \
		return (p);                                                    \
	}
STEP(north)
STEP(east)
STEP(south)
STEP(west)
static step *const steps[4] = { north, east, south, west };

static void
maps(void)
{
	void *p =
	    mmap(NULL, MAPPED, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(p != MAP_FAILED, "mmap");
	p = mremap(p, MAPPED, 2 * MAPPED, MREMAP_MAYMOVE);
	need(p != MAP_FAILED && munmap(p, 2 * MAPPED) == 0, "mremap");
}

int
main(int argc, char **argv)
{
	static void *(*const others[])(void *) = { each_kind, forks };
	pthread_t t[THREADS + 2];

	if (argc > 1)
		rounds = strtol(argv[1], NULL, 10);
	if (argc > 2)
		stacks = strtol(argv[2], NULL, 10);
	signal(SIGUSR1, handler_cb);
	for (int i = 0; i < THREADS; i++)
		need(pthread_create(&t[i], NULL, wander,
			 (void *)(uintptr_t)i) == 0,
		    "thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < THREADS; i++)
		free(slot[i]);
	for (int i = 0; i < 2; i++) {
		need(pthread_create(&t[i], NULL, others[i], NULL) == 0,
		    "thread");
		pthread_join(t[i], NULL);
	}
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	odd_frames();
	for (long i = 0; i < stacks; i++)
		free(north((unsigned)i, DEEP));
	maps();
	printf("rounds %ld, handled %d\n", rounds * THREADS, (int)handled);
	return (0);
}
