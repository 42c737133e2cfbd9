// Exceptions go through functions; classes, templates and operators have names.
#include <stdexcept>

namespace ns {
template <class T> struct Solver {
	T v;
	__attribute__((noinline)) T
	step(int n) const
	{
		if (n == 0)
			throw std::runtime_error("over");
		return step(n - 1) + v;
	}
	__attribute__((noinline)) Solver
	operator+(const Solver &o) const
	{
		return Solver { v + o.v };
	}
};
}

static __attribute__((noinline)) int
tries(int n)
{
	try {
		ns::Solver<double> s { 1.5 };
		return (int)(s + s).step(n);
	} catch (const std::runtime_error &) {
		return -1;
	}
}

int
main()
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += tries(3);
	return sum == -10 ? 0 : 1;
}
