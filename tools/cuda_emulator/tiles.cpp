// The products of a warp's tiles. Lanes meet at each function, which orders none of their accesses: what one
// of them writes others may load after __syncwarp().
#include "state.h"

#include <emulator/tiles.h>

#include <bit>

namespace emulator {
namespace {

constexpr int side = 16;
constexpr uintptr_t tile_alignment = 32;  // bytes
constexpr unsigned whole_warp = ~0u;

size_t bytes_of(Number type) { return type == Number::single ? 4 : 2; }

float value_of(const void* numbers, int i, Number type) {
  if (type == Number::single) return static_cast<const float*>(numbers)[i];
  const uint16_t bits = static_cast<const uint16_t*>(numbers)[i];
  if (type == Number::bfloat16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  return static_cast<float>(std::bit_cast<_Float16>(bits));
}

// Number i of a lane: a pair along columns, in the rows of two halves; with pairs of rows it is the
// transpose.
struct Element {
  int row, column;
};
Element element_of(unsigned lane, int i, bool has_pairs_of_rows) {
  const int across = static_cast<int>(lane) / 4 + (i / 2 % 2) * 8;
  const int along = static_cast<int>(lane) % 4 * 2 + i % 2 + (i / 4) * 8;
  return has_pairs_of_rows ? Element{along, across} : Element{across, along};
}
// The lane and the number that are at this place.
struct Holder {
  int lane, number;
};
Holder holder_of(int row, int column, bool has_pairs_of_rows) {
  const int across = has_pairs_of_rows ? column : row, along = has_pairs_of_rows ? row : column;
  return {across % 8 * 4 + along % 8 / 2, along % 2 + across / 8 * 2 + along / 8 * 4};
}

// As exchange(), of the whole warp and without the order that it makes.
const uint64_t* meet(uint64_t operand, const Place& place) {
  Thread& self = *running_thread();
  const auto clocks = self.clocks;
  const uint64_t* operands = exchange(whole_warp, operand, place);
  const uint16_t own = self.clocks[self.lane()];
  self.clocks = clocks;
  self.clocks[self.lane()] = own;
  if (self.present == whole_warp) return operands;
  report("part-of-warp", nullptr, nullptr, "only the lanes %#x come to the fragment's function at %s:%d",
         self.present, place.file, place.line);
  stop_kernel(cudaErrorLaunchFailure);
}

void check_memory(const TileMemory& memory, Number type, const void* pc) {
  const unsigned step = type == Number::single ? 4 : 8;
  if (reinterpret_cast<uintptr_t>(memory.begin) % tile_alignment == 0 && memory.ldm % step == 0) return;
  report("misaligned", pc, nullptr, "a tile at %p, with ldm %u: 32 bytes and a multiple of %u are needed",
         memory.begin, memory.ldm, step);
  stop_kernel(cudaErrorIllegalAddress);
}

// Calls f(number, address) for each of this lane's numbers, after checks: pairs that are neighbours are an
// access.
template <class F>
void for_each_number(const TileMemory& memory, Number type, AccessKind kind, const void* pc, F f) {
  const size_t bytes = bytes_of(type);
  const bool are_neighbours = memory.is_by_rows != memory.has_pairs_of_rows;
  for (int i = 0; i < numbers_per_lane; ++i) {
    const Element at = element_of(running_thread()->lane(), i, memory.has_pairs_of_rows);
    const size_t offset =
        memory.is_by_rows ? size_t{memory.ldm} * at.row + at.column : size_t{memory.ldm} * at.column + at.row;
    auto* address = static_cast<char*>(const_cast<void*>(memory.begin)) + offset * bytes;
    if (!are_neighbours) check_access(address, bytes, kind, true, pc);
    if (are_neighbours && i % 2 == 0) check_access(address, 2 * bytes, kind, true, pc);
    f(i, address);
  }
}

}  // namespace

void load_tile(void* numbers, Number type, const TileMemory& from, const Place& place, const void* pc) {
  meet(0, place);
  check_memory(from, type, pc);
  for_each_number(from, type, AccessKind::read, pc, [&](int i, const char* address) {
    std::memcpy(static_cast<char*>(numbers) + i * bytes_of(type), address, bytes_of(type));
  });
}

void store_tile(const void* numbers, Number type, const TileMemory& to, const Place& place, const void* pc) {
  meet(0, place);
  check_memory(to, type, pc);
  for_each_number(to, type, AccessKind::write, pc, [&](int i, char* address) {
    std::memcpy(address, static_cast<const char*>(numbers) + i * bytes_of(type), bytes_of(type));
  });
}

void multiply_tiles(float* result, const void* left, const void* right, const float* added, Number type,
                    const Place& place) {
  struct Operands {
    const void *left, *right;
  };
  const Operands own{left, right};
  const uint64_t* of_lanes = meet(reinterpret_cast<uintptr_t>(&own), place);
  float sums[numbers_per_lane];
  for (int i = 0; i < numbers_per_lane; ++i) {
    const Element at = element_of(running_thread()->lane(), i, false);
    sums[i] = added[i];
    for (int k = 0; k < side; ++k) {
      const Holder l = holder_of(at.row, k, false), r = holder_of(k, at.column, true);
      sums[i] += value_of(reinterpret_cast<const Operands*>(of_lanes[l.lane])->left, l.number, type) *
                 value_of(reinterpret_cast<const Operands*>(of_lanes[r.lane])->right, r.number, type);
    }
  }
  meet(0, place);  // all lanes have read the operands
  std::memcpy(result, sums, sizeof(sums));
}

}  // namespace emulator
