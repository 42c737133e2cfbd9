#!/bin/sh
# What the programs of programs.sh work on, and those of them that have to be made,
# as far as there are compilers.
#
#	given.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$1"
cd "$1"
has() { command -v "$1" >/dev/null; }

awk 'BEGIN { x = 1; for (i = 0; i < 1000000; i++) { x = (x * 69069 + 5) % 4294967296; printf "%08x %d\n", x, i % 97 } }' >text
head -c 2000 text >index
cat >threads.py <<'END'
import queue, threading
q, found = queue.Queue(50), [0] * 4
def take(i):
    while (n := q.get()) is not None:
        found[i] += sum(map(int, str(n ** 20)))
threads = [threading.Thread(target=take, args=(i,)) for i in range(4)]
for t in threads: t.start()
for n in range(60000): q.put(n)
for t in threads: q.put(None)
for t in threads: t.join()
print(sum(found))
END
cat >gets.py <<'END'
import socket, sys, threading
def ask(i):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    f = s.makefile("rb")
    for turn in range(2500):
        s.sendall(b"".join(b"set k%d.%d 0 0 9\r\n123456789\r\n" % (i, k) for k in range(50)))
        assert all(f.readline() == b"STORED\r\n" for _ in range(50))
        s.sendall(b"get " + b" ".join(b"k%d.%d" % (i, k) for k in range(50)) + b"\r\n")
        while f.readline() != b"END\r\n": pass
threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print("500000 asked for")
END
cat >nginx.conf <<END
daemon off; worker_processes 2; error_log /dev/null; pid HERE/pid; events {}
http { access_log off; client_body_temp_path l; proxy_temp_path l; fastcgi_temp_path l;
uwsgi_temp_path l; scgi_temp_path l; server { listen 127.0.0.1:$PORT; root $PWD; } }
END
cat >words.bash <<'END'
declare -A n
while read -r a b; do n[$b]=$((${n[$b]:-0} + 16#${a:4:3})); done < <(head -n 30000 "$1")
for b in "${!n[@]}"; do echo "$b $(printf %05d "${n[$b]}")"; done | sort | md5sum
END
mkdir make
i=0
while [ $i -lt 12 ]; do
	printf '#include <stdio.h>\n#include <stdlib.h>\nint f%d(int a) { for (int i = 0; i < a; i++) printf("%%d", i ^ %d); return (abs(a)); }\n' $i $i >make/f$i.c
	i=$((i + 1))
done
echo 'int main(void) { return (0); }' >make/main.c
printf 'a: $(patsubst %%.c,%%.o,$(wildcard *.c))\n\tgcc -o $@ $^\n%%.o: %%.c\n\tgcc -O2 -c $<\n' >make/Makefile

if has git; then
	git init -q -b main repo
	cd repo
	export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
	for i in 1 2 3 4 5 6 7 8; do
		sed -n "$((i * 900)),$((i * 900 + 20000))p" ../text | split -a 3 -l 500 - f
		git add .
		git -c user.name=a -c user.email=a commit -qm "$i"
	done
	cd ..
fi
! has ffmpeg || ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=25:duration=12 -pix_fmt yuv420p film.y4m

# made by compilers
cat >omp.c <<'END'
#include <stdio.h>
static double a[200000];
static long
fib(int n)
{
	long x, y;
	if (n < 14)
		return (n < 2 ? n : fib(n - 1) + fib(n - 2));
#pragma omp task shared(x)
	x = fib(n - 1);
	y = fib(n - 2);
#pragma omp taskwait
	return (x + y);
}
int
main(void)
{
	long f = 0;
	double sum = 0;
	for (int turn = 0; turn < 2000; turn++)
#pragma omp parallel for
		for (int i = 0; i < 200000; i++)
			a[i] = a[i] * 0.5 + i % (turn + 7);
	for (int i = 0; i < 200000; i++)
		sum += a[i];
#pragma omp parallel
#pragma omp single
	f = fib(36);
	printf("%.3f %ld\n", sum, f);
	return (0);
}
END
! has gcc || gcc -O2 -fopenmp -o omp-gcc omp.c
! has clang || clang -O2 -fopenmp -o omp-clang omp.c 2>/dev/null || rm -f omp-clang
cat >trees.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct tree { struct tree *l, *r; };
static struct tree *
grow(int deep)
{
	struct tree *t = malloc(sizeof(*t));
	t->l = deep > 0 ? grow(deep - 1) : NULL;
	t->r = deep > 0 ? grow(deep - 1) : NULL;
	return (t);
}
static long
fell(struct tree *t)
{
	long n = t == NULL ? 0 : 1 + fell(t->l) + fell(t->r);
	free(t);
	return (n);
}
static void *
wood(void *p)
{
	for (int i = 0; i < 240; i++)
		*(long *)p += fell(grow(15));
	return (NULL);
}
int
main(void)
{
	pthread_t t[2];
	long n[2] = { 0 };
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, wood, &n[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", n[0] + n[1]);
	return (0);
}
END
libs=/usr/lib/$(uname -m)-linux-gnu
! has gcc || gcc -O2 -pthread -o trees trees.c
[ ! -e "$libs/libjemalloc.so.2" ] || gcc -O2 -pthread -o trees-jemalloc trees.c -L"$libs" -l:libjemalloc.so.2
cat >go.go <<'END'
package main
import ("fmt"; "sync")
func main() {
	var w sync.WaitGroup
	c, sum := make(chan int, 10), 0
	for g := 0; g < 8; g++ {
		w.Add(1)
		go func(g int) { for i := 0; i < 400000; i++ { n := i; for k := 0; k < 300; k++ { n = n * 31 + g }; if i % 10 == 0 { c <- n & 15 } }; w.Done() }(g)
	}
	go func() { w.Wait(); close(c) }()
	for n := range c { sum += n }
	fmt.Println(sum)
}
END
! has go || GOCACHE=$PWD/cache HOME=$PWD go build -o go go.go
cat >H.java <<'END'
import java.util.concurrent.*;
class H { public static void main(String[] a) throws Exception {
	ExecutorService e = Executors.newFixedThreadPool(4);
	ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
	for (int i = 0; i < 40000; i++) { int n = i; e.submit(() -> { for (int k = 0; k < 300; k++) m.merge(n * k % 977, 1, Integer::sum); }); }
	e.shutdown(); e.awaitTermination(60, TimeUnit.SECONDS);
	System.out.println(m.size() + " " + m.values().stream().mapToInt(x -> x).sum());
} }
END
! has javac || javac H.java
cat >rust.rs <<'END'
use std::{sync::{mpsc, Arc, Mutex}, thread};
fn main() {
	let (to, from) = mpsc::sync_channel::<u64>(10);
	let sum = Arc::new(Mutex::new(0u64));
	let t: Vec<_> = (0..4u64).map(|g| { let to = to.clone(); let sum = sum.clone(); thread::spawn(move || {
		for i in 0..400000u64 {
			let v: Vec<u64> = (0..200).map(|k| (i * 31 + k * g) & 15).collect();
			*sum.lock().unwrap() += v[7];
			if i % 10 == 0 { to.send(v.iter().sum()).unwrap(); }
		} }) }).collect();
	drop(to);
	let all: u64 = from.iter().sum();
	for x in t { x.join().unwrap(); }
	println!("{} {}", all, sum.lock().unwrap());
}
END
! has rustc || rustc -O -o rust rust.rs 2>/dev/null || rm -f rust

# a smaller hpcc, of two ranks
sed -e 's/^200  *Ns/100 Ns/' -e 's/^2  *Ps/1 Ps/' "$here/../../mpi/hpccinf.txt" >hpccinf.txt
chmod -R a+rX .
