// One callable out of several: c10::overloaded([](int) {}, [](double) {}).
#pragma once

#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {

template <class... Fs>
struct overloaded_t : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
constexpr overloaded_t<Fs...> overloaded(Fs... fs) {
  return {fs...};
}

}  // namespace c10::inline C10_ABI
