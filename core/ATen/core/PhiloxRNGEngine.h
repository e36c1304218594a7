// Philox 4x32-10: random numbers as a function of (seed, subsequence, position), so that any part of a
// sequence can be made by any thread. (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.)
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::inline C10_ABI {

struct PhiloxBlock {
  uint32_t v[4];
  C10_HOST_DEVICE uint32_t operator[](int i) const { return v[i]; }
};

namespace detail {

C10_ALWAYS_INLINE C10_HOST_DEVICE PhiloxBlock philox_round(PhiloxBlock counter, uint32_t key0,
                                                           uint32_t key1) {
  const uint64_t product0 = uint64_t{0xD2511F53} * counter.v[0];
  const uint64_t product1 = uint64_t{0xCD9E8D57} * counter.v[2];
  return {{static_cast<uint32_t>(product1 >> 32) ^ counter.v[1] ^ key0, static_cast<uint32_t>(product1),
           static_cast<uint32_t>(product0 >> 32) ^ counter.v[3] ^ key1, static_cast<uint32_t>(product0)}};
}

}  // namespace detail

/// Four random words for block number `block` of `subsequence`: the low and high half of the 128-bit counter.
C10_ALWAYS_INLINE C10_HOST_DEVICE PhiloxBlock philox4x32(uint64_t seed, uint64_t block,
                                                         uint64_t subsequence = 0) {
  PhiloxBlock counter{{static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                       static_cast<uint32_t>(subsequence), static_cast<uint32_t>(subsequence >> 32)}};
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    counter = detail::philox_round(counter, key0, key1);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// The same as a stream of words. `offset` counts blocks of four.
class philox_engine {
 public:
  C10_HOST_DEVICE explicit philox_engine(uint64_t seed = 67280421310721, uint64_t subsequence = 0,
                                         uint64_t offset = 0)
      : seed_(seed), subsequence_(subsequence), block_(offset) {}

  C10_HOST_DEVICE uint32_t operator()() {
    if (used_ == 4) {
      output_ = philox4x32(seed_, block_++, subsequence_);
      used_ = 0;
    }
    return output_.v[used_++];
  }
  C10_HOST_DEVICE void set_offset(uint64_t offset) {
    block_ = offset;
    used_ = 4;
  }
  C10_HOST_DEVICE uint64_t get_offset() const { return block_; }
  C10_HOST_DEVICE void incr_n(uint64_t blocks) { block_ += blocks; }
  C10_HOST_DEVICE void incr() { incr_n(1); }

 private:
  uint64_t seed_, subsequence_, block_;
  PhiloxBlock output_{};
  uint32_t used_ = 4;
};

using Philox4_32 = philox_engine;

}  // namespace at::inline C10_ABI
