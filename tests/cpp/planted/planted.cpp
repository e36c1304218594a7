// Faults that a sanitizer must notice in the library itself: `planted race`, `overrun`, `freed`, `overflow`.
#include <ATen/ATen.h>

#include <cstring>
#include <limits>
#include <thread>

// Two threads write one tensor.
static void race() {
  at::Tensor t = at::zeros({1000});
  const auto fill = [&](int value) {
    for (int i = 0; i < 100; ++i) t.fill_(value);
  };
  std::thread other(fill, 1);
  fill(2);
  other.join();
}

// A tensor that says to have an element more than its memory.
static void overrun() {
  const auto memory = std::make_unique<double[]>(3);
  std::printf("%f\n", at::from_blob(memory.get(), {4}, at::kDouble).sum().item<double>());
}

static void freed() {
  at::Tensor t = at::ones({3}, at::kDouble);
  const at::Tensor copy = at::from_blob(t.data_ptr(), {3}, at::kDouble);
  t = at::Tensor();
  std::printf("%f\n", copy.sum().item<double>());
}

static void overflow() {
  volatile int most = std::numeric_limits<int>::max();
  std::printf("%d\n", most + 1);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (!std::strcmp(what, "race")) race();
  if (!std::strcmp(what, "overrun")) overrun();
  if (!std::strcmp(what, "freed")) freed();
  if (!std::strcmp(what, "overflow")) overflow();
  return 0;
}
