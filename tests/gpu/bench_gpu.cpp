// Bandwidth of operators on a GPU, in GB/s of what they must read and write; products in TFLOP/s.
#include <ATen/ATen.h>
#include <c10/core/DeviceInterface.h>
#include <c10/core/Event.h>

#include <cstdio>
#include <functional>

namespace {

using at::Tensor;

// Seconds per call, over enough calls to take a while.
double seconds(const std::function<void()>& call) {
  const c10::DeviceInterface& device = c10::device_interface(c10::DeviceType::CUDA);
  const c10::Stream stream = device.current_stream(0);
  constexpr int warm = 3, calls = 50;
  for (int i = 0; i < warm; ++i) call();
  c10::Event begin(c10::DeviceType::CUDA, c10::EventFlag::BACKEND_DEFAULT);
  c10::Event end(c10::DeviceType::CUDA, c10::EventFlag::BACKEND_DEFAULT);
  begin.record(stream);
  for (int i = 0; i < calls; ++i) call();
  end.record(stream);
  end.synchronize();
  return begin.elapsedTime(end) / 1e3 / calls;
}

void bandwidth(const char* name, double bytes, const std::function<void()>& call) {
  std::printf("%-28s %10.1f GB/s\n", name, bytes / seconds(call) / 1e9);
}

}  // namespace

int main() {
  if (c10::device_count(c10::DeviceType::CUDA) == 0) {
    std::printf("no CUDA device is available here: nothing was measured\n");
    return 77;
  }
  constexpr int64_t n = int64_t{1} << 26;
  const auto options = at::TensorOptions().device(c10::Device(c10::DeviceType::CUDA, 0));
  const Tensor a = at::rand({n}, options), b = at::rand({n}, options), out = at::empty({n}, options);
  const Tensor half = a.to(at::kHalf), square = a.view({8192, 8192});
  Tensor result = out, transposed = at::empty({8192, 8192}, options), filled = at::empty({n}, options);
  bandwidth("add float", 12.0 * n, [&] { at::add_outf(a, b, 1, result); });
  bandwidth("mul float, a number", 8.0 * n, [&] { at::mul(a, 2); });
  bandwidth("exp float", 8.0 * n, [&] { at::exp_outf(a, result); });
  bandwidth("half to float", 6.0 * n, [&] { result.copy_(half); });
  bandwidth("copy_ transposed float", 8.0 * n, [&] { transposed.copy_(square.t()); });
  bandwidth("fill_ float", 4.0 * n, [&] { filled.fill_(1); });
  bandwidth("normal_ float", 4.0 * n, [&] { filled.normal_(); });
  bandwidth("sum float, all", 4.0 * n, [&] { at::sum(a); });
  bandwidth("sum float, rows", 4.0 * n, [&] { at::sum(square, 1); });
  bandwidth("sum float, columns", 4.0 * n, [&] { at::sum(square, 0); });
  bandwidth("softmax float, rows", 8.0 * n, [&] { at::softmax(square, 1); });
  bandwidth("cumsum float, rows", 8.0 * n, [&] { at::cumsum(square, 1); });
  try {
    const Tensor left = half.view({8192, 8192});
    std::printf("%-28s %10.1f TFLOP/s\n", "mm half 8192",
                2.0 * 8192 * 8192 * 8192 / seconds([&] { at::mm(left, left); }) / 1e12);
    std::printf("%-28s %10.1f TFLOP/s\n", "mm float 8192",
                2.0 * 8192 * 8192 * 8192 / seconds([&] { at::mm(square, square); }) / 1e12);
  } catch (const c10::Error& error) {
    std::printf("products: %s\n", error.what());
  }
  return 0;
}
