// Philox against its published vectors, and the CPU generator.
#include "check.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>

#include <cstdint>

namespace {

// Known answers of the Random123 distribution: counter and key all zeros, all ones, and digits of pi.
void philox_known_answers() {
  const at::PhiloxBlock zeros = at::philox4x32(0, 0, 0);
  CHECK(zeros[0] == 0x6627e8d5 && zeros[1] == 0xe169c58d && zeros[2] == 0xbc57ac4c && zeros[3] == 0x9b00dbd8);
  const at::PhiloxBlock ones = at::philox4x32(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0});
  CHECK(ones[0] == 0x408f276d && ones[1] == 0x41c83b0e && ones[2] == 0xa20bc7c6 && ones[3] == 0x6d5451fd);
  const at::PhiloxBlock pi = at::philox4x32(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e);
  CHECK(pi[0] == 0xd16cfe09 && pi[1] == 0x94fdcceb && pi[2] == 0x5001e420 && pi[3] == 0x24126ea1);
}

void engine_streams_the_blocks() {
  at::philox_engine engine(7, 0, 5);
  for (uint64_t block = 5; block < 8; ++block) {
    const at::PhiloxBlock expected = at::philox4x32(7, block);
    for (int i = 0; i < 4; ++i) CHECK_EQ(engine(), expected[i]);
  }
}

void seeds_repeat() {
  at::Generator generator = at::detail::createCPUGenerator(123);
  auto* impl = at::check_generator<at::CPUGeneratorImpl>(generator);
  const uint32_t first = impl->random(), second = impl->random();
  CHECK(first != second);
  generator.set_current_seed(123);
  CHECK_EQ(impl->random(), first);
  const at::PhiloxState state = impl->reserve(10);
  CHECK_EQ(state.seed, 123u);
  CHECK_EQ(state.offset, 1u);
  CHECK_EQ(generator.get_offset(), 11u);
}

void state_can_be_kept() {
  at::Generator generator = at::detail::createCPUGenerator(9);
  auto* impl = generator.get<at::CPUGeneratorImpl>();
  impl->random();
  const auto state = impl->get_state();
  at::Generator copy = generator.clone();
  const uint64_t next = impl->random64();
  CHECK_EQ(copy.get<at::CPUGeneratorImpl>()->random64(), next);
  impl->random64();
  impl->set_state(*state);
  CHECK_EQ(impl->random64(), next);
  const at::TensorBase wrong = at::detail::empty_cpu({3}, at::kByte);
  CHECK_THROWS(impl->set_state(*wrong.unsafeGetTensorImpl()), c10::Error, "wrong size");
}

void default_generator_is_seeded_by_manual_seed() {
  at::manual_seed(77);
  const at::Generator& generator = at::default_generator(at::Device(at::kCPU));
  CHECK_EQ(generator.current_seed(), 77u);
  CHECK(generator == at::detail::getDefaultCPUGenerator());
  CHECK(generator.key_set() == c10::DispatchKeySet(c10::DispatchKey::CPU));
  CHECK_THROWS(at::default_generator(at::Device(at::kXPU)), c10::Error, "xpu");
}

}  // namespace

int main() {
  RUN(philox_known_answers);
  RUN(engine_streams_the_blocks);
  RUN(seeds_repeat);
  RUN(state_can_be_kept);
  RUN(default_generator_is_seeded_by_manual_seed);
  return check_result();
}
