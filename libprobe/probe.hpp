/*
 * probe.hpp - scope guards and objects for C++11 and later, on top of probe.h.
 *
 * Each says the beginning when it is made and the end when it goes, also by
 * an exception.  None throws or allocates, guards cannot be copied; what is
 * said of cost, signals and threads in probe.h holds here.
 *
 *	void Solver::step()
 *	{
 *		probe::scope here(PROBE_FUNCTION());
 *		probe::phase phase(PROBE_NAME("step"));
 *		...
 *		phase.units(cells);
 *	}
 */
#ifndef PROBE_HPP
#define PROBE_HPP

#include "probe.h"

namespace probe
{

class only_here
{
      protected:
	only_here() noexcept = default;
	~only_here() = default;

      public:
	only_here(const only_here &) = delete;
	only_here &operator=(const only_here &) = delete;
};

/* enter, leave */
class scope : only_here
{
	const void *address_;
	uint32_t function_;

      public:
	explicit scope(uint32_t function,
	    const void *address = nullptr) noexcept
	    : address_(address), function_(function)
	{
		probe_enter(address_, function_);
	}
	~scope()
	{
		probe_leave(address_, function_);
	}
};

/* phase_begin, phase_end with the units of work told meanwhile */
class phase : only_here
{
	uint32_t name_;
	uint64_t units_ = 0;

      public:
	explicit phase(uint32_t name) noexcept : name_(name)
	{
		probe_phase_begin(name_);
	}
	~phase()
	{
		probe_phase_end(name_, units_);
	}
	void units(uint64_t more) noexcept
	{
		units_ += more;
	}
};

/* task_begin, task_end: the run of a task that is not suspended */
class task : only_here
{
	uint64_t id_;

      public:
	task(uint64_t id, uint64_t pe, uint32_t procedure) noexcept : id_(id)
	{
		probe_task_begin(id_, pe, procedure);
	}
	~task()
	{
		probe_task_end(id_);
	}
};

/* block_begin, block_end: around the fork and the join */
class block : only_here
{
	uint64_t id_;
	uint32_t width_;

      public:
	block(uint32_t width, uint32_t name) noexcept
	    : id_(probe_id()), width_(width)
	{
		probe_block_begin(id_, width_, name);
	}
	~block()
	{
		probe_block_end(id_, width_);
	}
	/* for the members */
	uint64_t id() const noexcept
	{
		return id_;
	}
	uint32_t width() const noexcept
	{
		return width_;
	}
};

/* member_begin, member_end, in the thread that does the share */
class member : only_here
{
	uint64_t block_;
	uint32_t member_, width_;

      public:
	member(const block &b, uint32_t number, uint32_t name) noexcept
	    : block_(b.id()), member_(number), width_(b.width())
	{
		probe_member_begin(block_, member_, name);
	}
	~member()
	{
		probe_member_end(block_, member_, width_);
	}
};

/* rpc_begin, rpc_end: the callee's work on a remote call */
class serve : only_here
{
	uint64_t rpc_, answer_bytes_ = 0;
	uint32_t procedure_;

      public:
	serve(uint64_t rpc, uint64_t size_bytes, uint32_t procedure) noexcept
	    : rpc_(rpc), procedure_(procedure)
	{
		probe_rpc_begin(rpc_, size_bytes, procedure_);
	}
	~serve()
	{
		probe_rpc_end(rpc_, answer_bytes_, procedure_);
	}
	void answer(uint64_t size_bytes) noexcept
	{
		answer_bytes_ = size_bytes;
	}
};

/*
 * An object that lives on a node and may move: a class is traced by deriving
 * from it, or by having one as a member if it has a base of its own.  Its life
 * begins when it is made or has arrived, and ends with it, if it has not left.
 *
 *	class drone : public probe::object
 *	{
 *	      public:
 *		drone() : object("drone", "scout") {}
 *		explicit drone(const arrival &a) : object(a) {}
 *	};
 *
 * A copy is another object of the class; what is moved from has gone.
 */
class object
{
	probe_object o_;

	void begin(const char *class_name, const char *nickname,
	    const probe_request *asked, bool traced) noexcept
	{
		probe_object_init(&o_, class_name, nickname);
		probe_object_trace(&o_, traced);
		probe_object_begin(&o_, asked);
	}

      public:
	static constexpr size_t packed_bytes = PROBE_OBJECT_PACKED;

	/* What pack() has written elsewhere. */
	struct arrival {
		const void *packed;
		size_t bytes;
	};

	explicit object(const char *class_name, const char *nickname = nullptr,
	    bool traced = true) noexcept
	{
		begin(class_name, nickname, nullptr, traced);
	}
	/* asked for by an object of another process */
	object(const char *class_name, const char *nickname,
	    const probe_request &asked, bool traced = true) noexcept
	{
		begin(class_name, nickname, &asked, traced);
	}
	/* made by an object, here and now */
	object(const char *class_name, const char *nickname,
	    const object &creator, bool traced = true) noexcept
	{
		probe_request asked = creator.ask(class_name);

		begin(class_name, nickname, &asked, traced);
	}
	explicit object(const arrival &a) noexcept
	{
		probe_object_unpack(&o_, a.packed, a.bytes);
	}
	object(const object &o) noexcept
	{
		begin(o.o_.class_name, nullptr, nullptr, o.o_.silent == 0);
	}
	object(object &&o) noexcept : o_(o.o_)
	{
		o.o_.gone = 1;
	}
	object &operator=(const object &) noexcept
	{
		return *this; /* it stays who it is */
	}
	object &operator=(object &&o) noexcept
	{
		if (this != &o) {
			probe_object_end(&o_);
			o_ = o.o_;
			o.o_.gone = 1;
		}
		return *this;
	}
	~object()
	{
		probe_object_end(&o_);
	}

	/* leaves for a node; see probe_object_pack() */
	size_t pack(const char *destination, void *buf, size_t bytes) noexcept
	{
		return probe_object_pack(&o_, destination, buf, bytes);
	}
	/* asks for an object of this class to be made elsewhere */
	probe_request ask(const char *class_name) const noexcept
	{
		probe_request r;

		probe_object_ask(&o_, class_name, &r);
		return r;
	}
	/* orders another to move; that one follows */
	uint64_t command(uint64_t other, const char *destination) const noexcept
	{
		return probe_object_command(&o_, other, destination);
	}
	void follow(uint64_t order, const char *destination) noexcept
	{
		probe_object_follow(&o_, order, destination);
	}
	void trace(bool on) noexcept
	{
		probe_object_trace(&o_, on);
	}

	uint64_t id() const noexcept
	{
		return o_.id;
	}
	uint64_t creator() const noexcept
	{
		return o_.creator;
	}
	uint64_t hops() const noexcept
	{
		return o_.hops;
	}
	const char *class_name() const noexcept
	{
		return o_.class_name;
	}
	const char *nickname() const noexcept
	{
		return o_.nickname;
	}
	const char *home() const noexcept
	{
		return o_.home;
	}
	bool gone() const noexcept
	{
		return o_.gone != 0;
	}
	probe_object *handle() noexcept
	{
		return &o_;
	}
};

/* An object waits for a reason, as long as this is there. */
class waits : only_here
{
	probe_object *o_;

      public:
	waits(object &o, uint32_t reason) noexcept : o_(o.handle())
	{
		probe_object_pause(o_, reason);
	}
	~waits()
	{
		probe_object_resume(o_);
	}
};

} // namespace probe

#endif
