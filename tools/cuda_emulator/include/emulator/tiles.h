// What <mma.h> is made of: 16 x 16 tiles that the lanes of a warp hold together.
#pragma once

#include <emulator/launch.h>

#pragma GCC visibility push(default)
namespace emulator {

enum class Number { half, bfloat16, single };
constexpr int numbers_per_lane = 8;

/// Where a matrix lies, and which of its dimensions a lane has in pairs.
struct TileMemory {
  const void* begin;
  unsigned ldm;
  bool is_by_rows;
  bool has_pairs_of_rows;  // the right operand: its lanes have pairs along the dimension that is summed
};

/// This lane's part of a matrix, once all lanes of the warp have come here.
void load_tile(void* numbers, Number type, const TileMemory& from, const Place& place, const void* pc);
void store_tile(const void* numbers, Number type, const TileMemory& to, const Place& place, const void* pc);
/// result = left @ right + added, which may be result; of `type` and, the last two, of floats.
void multiply_tiles(float* result, const void* left, const void* right, const float* added, Number type,
                    const Place& place);

}  // namespace emulator
#pragma GCC visibility pop
