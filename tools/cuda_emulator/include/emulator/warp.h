// Functions of a warp. The lanes of a mask meet in exchange(), which gives each the operands of all.
#pragma once

#include <emulator/launch.h>

#pragma GCC visibility push(default)
namespace emulator {

unsigned lane();
/// The operands of the 32 lanes, once all lanes of `mask` have called it from the same place.
const uint64_t* exchange(unsigned mask, uint64_t operand, const Place& place);
/// A lane's operand was read that isn't in the mask, or has exited.
void check_source_lane(unsigned mask, int source, const Place& place);

template <class T>
__attribute__((no_sanitize("thread"))) T shuffle(unsigned mask, T value, int source, const Place& place) {
  static_assert(sizeof(T) <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const uint64_t* operands = exchange(mask, bits, place);
  check_source_lane(mask, source, place);
  std::memcpy(&value, &operands[source], sizeof(T));
  return value;
}

// The segment of `width` lanes that the calling lane is in.
inline int segment_begin(int width) { return static_cast<int>(lane()) / width * width; }

}  // namespace emulator
#pragma GCC visibility pop

#define EMULATOR_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncwarp(unsigned mask = 0xffffffffu, EMULATOR_PLACE) {
  ::emulator::exchange(mask, 0, {file, line});
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize, EMULATOR_PLACE) {
  const int from = ::emulator::segment_begin(width) + (source & (width - 1));
  return ::emulator::shuffle(mask, value, from, {file, line});
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize, EMULATOR_PLACE) {
  const int own = static_cast<int>(::emulator::lane()), from = own ^ lanes;
  const bool is_beyond = from >= ::emulator::segment_begin(width) + width;
  return ::emulator::shuffle(mask, value, is_beyond ? own : from, {file, line});
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = warpSize, EMULATOR_PLACE) {
  const int own = static_cast<int>(::emulator::lane()), from = own - static_cast<int>(distance);
  return ::emulator::shuffle(mask, value, from < ::emulator::segment_begin(width) ? own : from, {file, line});
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = warpSize, EMULATOR_PLACE) {
  const int own = static_cast<int>(::emulator::lane()), from = own + static_cast<int>(distance);
  const bool is_beyond = from >= ::emulator::segment_begin(width) + width;
  return ::emulator::shuffle(mask, value, is_beyond ? own : from, {file, line});
}

inline __attribute__((no_sanitize("thread"))) unsigned __ballot_sync(unsigned mask, int predicate,
                                                                     EMULATOR_PLACE) {
  const uint64_t* operands = ::emulator::exchange(mask, predicate != 0, {file, line});
  unsigned result = 0;
  for (int i = 0; i < warpSize; ++i) result |= static_cast<unsigned>(operands[i]) << i;
  return result & mask;
}
inline int __any_sync(unsigned mask, int predicate, EMULATOR_PLACE) {
  return __ballot_sync(mask, predicate, file, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, EMULATOR_PLACE) {
  return __ballot_sync(mask, predicate, file, line) == mask;
}
