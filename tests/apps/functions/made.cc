// What a program can be made of.  With an argument it prints what a compiler
// says of the same: size and place of members, for tests/system/program.sh.
#include <cstddef>
#include <cstdio>

struct Point {
	int x;
	double y;
	char name[12];
	unsigned low : 3, high : 5;
};

class Shape {
public:
	virtual ~Shape() {}
	virtual double area() const { return 0; }

protected:
	Point at;

private:
	int edges = 0;
};

class Square : public Shape {
public:
	double side = 2;
	static int made;
	double area() const override;
};

union Either {
	int i;
	double d;
};

int Square::made = 0;

__attribute__((noinline)) double
Square::area() const
{
	return side * side;
}

__attribute__((noinline)) int
never(Either e, const char *why, ...)
{
	return e.i + (why != nullptr);
}

int
main(int argc, char **)
{
	Square s;

	if (argc > 1) {
		printf("Point %zu x %zu y %zu name %zu\n", sizeof(Point),
		    offsetof(Point, x), offsetof(Point, y),
		    offsetof(Point, name));
		printf("Square %zu\nEither %zu\n", sizeof(Square),
		    sizeof(Either));
	}
	return s.area() + s.area() + s.area() == 12 ? 0 : never({}, "no");
}
