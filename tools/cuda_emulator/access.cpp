// The check of every access of device code. The compiler's -fsanitize=thread calls the functions below, which
// here are not those of its library.
#include "state.h"

#include <link.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace emulator {
namespace {

// Read-only segments of loaded files: constants of device code are there.
struct Segment {
  const char *begin, *end;
};
int add_segments(dl_phdr_info* info, size_t, void* list) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) != 0) continue;
    const auto* begin = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    static_cast<std::vector<Segment>*>(list)->push_back({begin, begin + header.p_memsz});
  }
  return 0;
}
bool is_constant(const char* p) {
  static auto* segments = new std::vector<Segment>();
  static Segment last{};
  const auto contains = [p](const Segment& segment) { return p >= segment.begin && p < segment.end; };
  if (contains(last)) return true;
  segments->clear();  // a library may have been loaded since
  ::dl_iterate_phdr(&add_segments, segments);
  const auto found = std::find_if(segments->begin(), segments->end(), contains);
  if (found == segments->end()) return false;
  last = *found;
  return true;
}

bool is_within(const void* p, const void* begin, size_t bytes) {
  return static_cast<size_t>(static_cast<const char*>(p) - static_cast<const char*>(begin)) < bytes;
}

bool is_own(const Access& access, const Thread& self) {
  return access.thread == self.number + 1 && access.block == grid().block;
}

// Whether the access came before the thread's next one in every order in which threads could run.
bool comes_before(const Access& access, const Thread& self) {
  if (access.thread == 0 || is_own(access, self)) return true;
  if (access.block != grid().block) return false;
  if (access.phase != self.phase) return true;
  const unsigned other = access.thread - 1u;
  return other / 32 == self.number / 32u && access.clock <= self.clocks[other % 32];
}

struct Attempt {
  const char* address;
  AccessKind kind;
  const void* pc;
  const char* space;
};

const char* verb(AccessKind kind) {
  return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "atomic";
}

void report_race(const Access& other, AccessKind other_kind, const Attempt& attempt, const Thread& self) {
  report("race", attempt.pc, reinterpret_cast<const void*>(static_cast<uintptr_t>(other.pc)),
         "%s after %s in %s memory: thread %u of block %u, before that thread %u of block %u, at %p",
         verb(attempt.kind), verb(other_kind), attempt.space, self.number, grid().block, other.thread - 1u,
         other.block, attempt.address);
}

void check_races(const Cell& cell, const Attempt& attempt, const Thread& self) {
  const bool is_atomic = attempt.kind == AccessKind::atomic;
  if (!(is_atomic && cell.is_atomic) && !comes_before(cell.writer, self)) {
    report_race(cell.writer, cell.is_atomic ? AccessKind::atomic : AccessKind::write, attempt, self);
  }
  if (attempt.kind == AccessKind::read) return;
  for (const Access* reader : {&cell.reader, &cell.other_reader}) {
    if (!comes_before(*reader, self)) report_race(*reader, AccessKind::read, attempt, self);
  }
}

// Two readers are kept, of different threads where there are: a write by one of them races with the other.
void record(Cell& cell, const Attempt& attempt, const Thread& self) {
  const Access access{reinterpret_cast<uintptr_t>(attempt.pc), self.phase, grid().block,
                      static_cast<uint16_t>(self.number + 1), self.clocks[self.lane()]};
  if (attempt.kind != AccessKind::read) {
    // A plain write stays: the thread's own atomic doesn't order it before those of others.
    const bool is_still_plain = is_own(cell.writer, self) && !cell.is_atomic &&
                                cell.writer.phase == access.phase && cell.writer.clock == access.clock;
    if (attempt.kind == AccessKind::atomic && is_still_plain) return;
    cell.writer = access;
    cell.is_atomic = attempt.kind == AccessKind::atomic;
    return;
  }
  if (!is_own(cell.reader, self) && !comes_before(cell.reader, self)) cell.other_reader = cell.reader;
  cell.reader = access;
}

// Each byte gets the cell of the element that it is in.
void split(Granule& granule, Cell* cells) {
  for (size_t i = granule_bytes; i-- > 0;) cells[i] = cells[i / granule.element];
  granule.element = 1;
}

// Calls f(cell, i) for each byte i of an access, or once where a cell stands for all of them.
template <class F>
void for_each_cell(Region& region, size_t at, size_t bytes, uint32_t epoch, F f) {
  const bool is_element = std::has_single_bit(bytes) && bytes <= granule_bytes && at % bytes == 0;
  for (size_t i = 0; i < bytes; ++i) {
    const size_t number = (at + i) / granule_bytes;
    Granule& granule = region.granules[number];
    Cell* cells = region.cells + number * granule_bytes;
    if (granule.epoch != epoch) granule = {epoch, static_cast<uint8_t>(is_element ? bytes : 1)};
    if (is_element && granule.element == bytes) return f(cells[at % granule_bytes / bytes], 0);
    if (granule.element != 1) split(granule, cells);
    f(cells[(at + i) % granule_bytes], i);
  }
}

bool may_access(const uint8_t* states, size_t i, size_t bytes) {
  if ((states[i] & live) != 0) return true;
  return bytes == 4 && i > 0 && (states[i] & padding) != 0 && (states[0] & live) != 0;
}

void check_region(Region& region, const char* address, size_t bytes, AccessKind kind, const void* pc,
                  const Thread& self) {
  const char* space = region.is_shared ? "shared" : "global";
  const auto at = static_cast<size_t>(address - region.begin);
  uint8_t* states = region.states + at;
  uint8_t all = 0xFF;  // what holds of every byte
  for (size_t i = 0; i < bytes; ++i) all &= states[i];
  for (size_t i = 0; i < bytes && (all & live) == 0; ++i) {
    if (may_access(states, i, bytes)) continue;
    report("out-of-bounds", pc, nullptr,
           "%s of %zu bytes of %s memory at %p, byte %zu (thread %u of block %u)", verb(kind), bytes, space,
           address, i, self.number, grid().block);
    stop_kernel(cudaErrorIllegalAddress);
  }
  const bool needs_value = kind != AccessKind::write && (region.is_shared || settings().checks_initial);
  for (size_t i = 0; i < bytes && (all & written) == 0; ++i) {
    if (needs_value && (states[i] & written) == 0) {
      report(region.is_shared ? "uninitialised-shared" : "uninitialised-global", pc, nullptr,
             "%s of %zu bytes at %p: nobody wrote byte %zu (thread %u of block %u)", verb(kind), bytes,
             address, i, self.number, grid().block);
    }
    if (kind != AccessKind::read) states[i] |= written;
  }
  const uint32_t epoch = region.is_shared ? grid().block_epoch : grid().launch;
  for_each_cell(region, at, bytes, epoch, [&](Cell& cell, size_t i) {
    if (cell.epoch != epoch) {
      cell = {};
      cell.epoch = epoch;
    }
    const Attempt attempt{address + i, kind, pc, space};
    check_races(cell, attempt, self);
    record(cell, attempt, self);
  });
}

// What is neither device memory nor the thread's own.
void check_other(const char* address, size_t bytes, AccessKind kind, const void* pc, const Thread& self) {
  if (is_within(address, &built_in, sizeof(built_in)) ||
      is_within(address, grid().thread, sizeof(*grid().thread))) {
    return;
  }
  if (const Parameters* all = grid().parameters; is_within(address, all->begin, all->bytes)) {
    if (kind != AccessKind::read) {
      report("write-to-parameter", pc, nullptr, "%zu bytes at %p", bytes, address);
    }
    return;
  }
  if ((kind == AccessKind::read && is_constant(address)) || is_pinned(address)) return;
  const bool is_null = reinterpret_cast<uintptr_t>(address) < 4096;
  report(is_null                   ? "null"
         : is_other_stack(address) ? "local-memory-of-other-thread"
                                   : "host-memory",
         pc, nullptr, "%s of %zu bytes at %p (thread %u of block %u)", verb(kind), bytes, address,
         self.number, grid().block);
  if (is_null) stop_kernel(cudaErrorIllegalAddress);
}

}  // namespace

void check_access(const void* p, size_t bytes, AccessKind kind, bool is_aligned, const void* pc) {
  const Thread* self = running_thread();
  if (self == nullptr) {
    // cudaMemcpyAsync and kernels reach device memory, nothing else.
    if (device_region(p) != nullptr) {
      report("device-memory-on-host", pc, nullptr, "%zu bytes at %p", bytes, p);
    }
    return;
  }
  if (is_own_stack(p)) return;
  const auto* address = static_cast<const char*>(p);
  Region* region = shared_region().contains(p) ? &shared_region() : device_region(p);
  if (region == nullptr) {
    check_other(address, bytes, kind, pc, *self);
    return;
  }
  if (is_aligned && reinterpret_cast<uintptr_t>(p) % bytes != 0) {
    report("misaligned", pc, nullptr, "%zu bytes at %p", bytes, p);
    stop_kernel(cudaErrorIllegalAddress);
  }
  if (!region->is_shared && region->device != grid().device) {
    report("other-device", pc, nullptr, "memory of device %d, in a kernel on device %d", region->device,
           grid().device);
  }
  check_region(*region, address, bytes, kind, pc, *self);
  if (counts_traffic) count_access(*region, address, bytes, pc, *self);
}

void check_atomic(const void* address, size_t bytes, const void* pc) {
  check_access(address, bytes, AccessKind::atomic, /*is_aligned=*/true, pc);
}

}  // namespace emulator

// ---- what instrumented code calls

using namespace emulator;

#define CALLER __builtin_return_address(0)
#define ACCESSES(n)                                                                                       \
  void __tsan_read##n(const void* p) { check_access(p, n, AccessKind::read, true, CALLER); }              \
  void __tsan_write##n(const void* p) { check_access(p, n, AccessKind::write, true, CALLER); }            \
  void __tsan_unaligned_read##n(const void* p) { check_access(p, n, AccessKind::read, false, CALLER); }   \
  void __tsan_unaligned_write##n(const void* p) { check_access(p, n, AccessKind::write, false, CALLER); } \
  void __tsan_volatile_read##n(const void* p) { check_access(p, n, AccessKind::read, true, CALLER); }     \
  void __tsan_volatile_write##n(const void* p) { check_access(p, n, AccessKind::write, true, CALLER); }

// The host's atomics, of reference counts say: device code has none of them.
#define HOST_ATOMICS(n, T)                                                                             \
  T __tsan_atomic##n##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
  void __tsan_atomic##n##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); } \
  T __tsan_atomic##n##_exchange(volatile T* p, T v, int) {                                             \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                \
  }                                                                                                    \
  T __tsan_atomic##n##_fetch_add(volatile T* p, T v, int) {                                            \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                    \
  T __tsan_atomic##n##_fetch_sub(volatile T* p, T v, int) {                                            \
    return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                    \
  T __tsan_atomic##n##_fetch_or(volatile T* p, T v, int) {                                             \
    return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                    \
  T __tsan_atomic##n##_fetch_and(volatile T* p, T v, int) {                                            \
    return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                    \
  int __tsan_atomic##n##_compare_exchange_strong(volatile T* p, T* e, T v, int, int) {                 \
    return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
  }                                                                                                    \
  int __tsan_atomic##n##_compare_exchange_weak(volatile T* p, T* e, T v, int, int) {                   \
    return __atomic_compare_exchange_n(p, e, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
  }

extern "C" {
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_read_range(const void* p, size_t n) { check_access(p, n, AccessKind::read, false, CALLER); }
void __tsan_write_range(const void* p, size_t n) { check_access(p, n, AccessKind::write, false, CALLER); }
HOST_ATOMICS(8, uint8_t)
HOST_ATOMICS(16, uint16_t)
HOST_ATOMICS(32, uint32_t)
HOST_ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_init() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

// The compiler leaves copies of whole objects to these functions; ld's --wrap gives them here.
void* __wrap_memcpy(void* dst, const void* src, size_t n) {
  if (running_thread() != nullptr && n > 0) {
    check_access(src, n, AccessKind::read, false, CALLER);
    check_access(dst, n, AccessKind::write, false, CALLER);
  }
  return std::memcpy(dst, src, n);
}
void* __wrap_memset(void* dst, int value, size_t n) {
  if (running_thread() != nullptr && n > 0) check_access(dst, n, AccessKind::write, false, CALLER);
  return std::memset(dst, value, n);
}
}
