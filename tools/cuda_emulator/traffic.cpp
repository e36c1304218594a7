// What warps ask of memory and what the host asks of the device, counted while EMULATOR_TRAFFIC names a file.
// The k-th time that lanes of a warp come to an instruction between two barriers is one request.
#include "state.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace emulator {

bool counts_traffic = std::getenv("EMULATOR_TRAFFIC") != nullptr;

namespace {

constexpr size_t widest = 16;  // bytes that a lane accesses at once: of more, each part is a request
constexpr uintptr_t sector_bytes = 32, bank_bytes = 4, banks = 32;

struct LaneAccess {
  const void* pc;
  unsigned warp, turn, part;
  bool is_shared;
  uintptr_t address;
  size_t bytes;

  auto request() const { return std::tie(is_shared, pc, warp, turn, part); }
  bool operator<(const LaneAccess& other) const {
    return std::tuple_cat(request(), std::tie(address)) <
           std::tuple_cat(other.request(), std::tie(other.address));
  }
};

// Of an instruction in the launches from one place; `ideal` is what its bytes need where they lie best.
struct Count {
  uint64_t requests = 0, units = 0, ideal = 0, bytes = 0;
};
using Key = std::tuple<std::string, std::string, std::string, const void*>;  // what, kernel, launched at, pc

// Lanes run one after another, each up to a barrier: their accesses are put together when all have come
// there.
std::vector<LaneAccess> accesses;
std::unordered_map<const void*, unsigned> turns;  // of the lane that runs
int lane_of_turns = -1;

std::map<Key, Count>& counts() {
  static auto* all = new std::map<Key, Count>();
  return *all;
}

Count& count_of(const char* what, const void* pc) {
  const Kernel* kernel = reported_kernel();
  if (kernel == nullptr) return counts()[{what, "-", "-", pc}];
  return counts()[{what, kernel->name, kernel->place.file + (":" + std::to_string(kernel->place.line)), pc}];
}

// Calls f(number) for each unit of that many bytes that the accesses, by their addresses, touch.
template <class F>
void for_each_unit(const LaneAccess* begin, const LaneAccess* end, uintptr_t unit_bytes, F f) {
  uintptr_t next = 0;
  for (const LaneAccess* access = begin; access != end; ++access) {
    const uintptr_t last = (access->address + access->bytes - 1) / unit_bytes;
    for (next = std::max(next, access->address / unit_bytes); next <= last; ++next) f(next);
  }
}
uint64_t units_touched(const LaneAccess* begin, const LaneAccess* end, uintptr_t unit_bytes) {
  uint64_t count = 0;
  for_each_unit(begin, end, unit_bytes, [&](uintptr_t) { ++count; });
  return count;
}

// A bank gives one word at a time, to all lanes that ask for it.
uint64_t passes(const LaneAccess* begin, const LaneAccess* end) {
  uint64_t words[banks] = {};
  for_each_unit(begin, end, bank_bytes, [&](uintptr_t word) { ++words[word % banks]; });
  return *std::max_element(words, words + banks);
}

uint64_t divided(uint64_t count, uint64_t by) { return (count + by - 1) / by; }

void count_request(const LaneAccess* begin, const LaneAccess* end) {
  Count& count = count_of(begin->is_shared ? "shared" : "global", begin->pc);
  const uint64_t bytes = units_touched(begin, end, 1);
  ++count.requests;
  count.bytes += bytes;
  if (begin->is_shared) {
    count.units += passes(begin, end);
    count.ideal += divided(units_touched(begin, end, bank_bytes), banks);
  } else {
    count.units += units_touched(begin, end, sector_bytes);
    count.ideal += divided(bytes, sector_bytes);
  }
}

FILE* output() {
  static FILE* file = std::fopen(std::getenv("EMULATOR_TRAFFIC"), "a");
  return file;
}

}  // namespace

void count_access(const Region& region, const char* address, size_t bytes, const void* pc,
                  const Thread& thread) {
  if (lane_of_turns != thread.number) {
    lane_of_turns = thread.number;
    turns.clear();
  }
  const unsigned turn = turns[pc]++;
  // The banks of shared memory begin where it does.
  const auto at = region.is_shared ? static_cast<uintptr_t>(address - region.begin)
                                   : reinterpret_cast<uintptr_t>(address);
  for (size_t i = 0; i < bytes; i += widest) {
    accesses.push_back({pc, thread.number / 32u, turn, static_cast<unsigned>(i / widest), region.is_shared,
                        at + i, std::min(widest, bytes - i)});
  }
}

void count_requests() {
  std::sort(accesses.begin(), accesses.end());
  const LaneAccess* end = accesses.data() + accesses.size();
  for (const LaneAccess* first = accesses.data(); first != end;) {
    const LaneAccess* behind = first;
    while (behind != end && behind->request() == first->request()) ++behind;
    count_request(first, behind);
    first = behind;
  }
  accesses.clear();
  lane_of_turns = -1;
}

void count_operation(const char* what) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  if (counts_traffic) ++count_of(what, nullptr).requests;
}

/// Appends what was counted since the last call to the file, under this title, and counts from 0 again.
extern "C" void emulator_write_traffic(const char* title) {
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  if (!counts_traffic || output() == nullptr) return;
  for (const auto& [key, count] : counts()) {
    const auto& [what, kernel, place, pc] = key;
    std::fprintf(output(), "%s\t%s\t%s\t%s\t%s\t%lu\t%lu\t%lu\t%lu\n", title, what.c_str(), kernel.c_str(),
                 place.c_str(), location(pc).c_str(), count.requests, count.units, count.ideal, count.bytes);
  }
  std::fflush(output());
  counts().clear();
}

namespace {
// What no program asked for is written when the process ends.
struct AtExit {
  ~AtExit() { emulator_write_traffic("-"); }
} at_exit;
}  // namespace

}  // namespace emulator
