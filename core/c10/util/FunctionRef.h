// A borrowed callable, for callbacks that are called before the function returns.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace c10::inline C10_ABI {

template <class Fn>
class function_ref;

template <class Ret, class... Params>
class function_ref<Ret(Params...)> {
 public:
  function_ref() = default;
  function_ref(std::nullptr_t) {}
  template <class Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, function_ref> &&
             std::is_invocable_r_v<Ret, Callable&, Params...>)
  function_ref(Callable&& callable)
      : callback_(&call<std::remove_reference_t<Callable>>),
        callable_(reinterpret_cast<intptr_t>(&callable)) {}

  Ret operator()(Params... params) const { return callback_(callable_, std::forward<Params>(params)...); }
  explicit operator bool() const { return callback_ != nullptr; }

 private:
  template <class Callable>
  static Ret call(intptr_t callable, Params... params) {
    return (*reinterpret_cast<Callable*>(callable))(std::forward<Params>(params)...);
  }

  Ret (*callback_)(intptr_t, Params...) = nullptr;
  intptr_t callable_ = 0;
};

}  // namespace c10::inline C10_ABI
