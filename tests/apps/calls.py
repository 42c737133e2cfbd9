"""Calls of which it is known how many there are (tests/system/python.sh)."""
import os
import sys
import threading


def leaf(n):
    return n + 1


def middle():
    for i in range(10):
        leaf(i)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def raises(depth):
    if depth == 0:
        raise ValueError("from below")
    raises(depth - 1)


def numbers():
    yield 1
    yield 2
    yield 3


class Shop:
    def serve(self):
        leaf(0)

    class Counter:
        def serve(self):
            leaf(1)


def work():
    for _ in range(7):
        leaf(2)


for _ in range(100):
    middle()
fib(10)
for _ in range(5):
    try:
        raises(3)
    except ValueError:
        pass
total = sum(numbers())
Shop().serve()
Shop.Counter().serve()
threads = [threading.Thread(target=work, name="worker-%d" % i)
           for i in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
sys.stdout.flush()
child = os.fork()
if child == 0:
    leaf(3)
    os._exit(3)
status = os.waitpid(child, 0)[1]
print(total, os.WEXITSTATUS(status), sys.getprofile(), len(threads))
sys.exit(4)
