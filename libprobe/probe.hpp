/*
 * probe.hpp - scope guards for C++11 and later, on top of probe.h.
 *
 * Each says the beginning when it is made and the end when it goes, also by
 * an exception.  None throws, allocates or can be copied; what is said of
 * cost, signals and threads in probe.h holds here.
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

} // namespace probe

#endif
