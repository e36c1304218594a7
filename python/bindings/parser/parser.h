// The argument parser: one compiled loop over constant tables that the generator writes for each function.
//
// A function has overloads in the order in which they are tried. A call selects the first whose parameters
// accept the arguments; the generated code then converts each value by the accessor of its type.
#pragma once
#include "prelude.h"
#include "tensor_object.h"

#include <ATen/core/Generator.h>
#include <ATen/core/List.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/Stream.h>
#include <c10/core/SymInt.h>
#include <c10/util/SmallVector.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace at::python {

enum class ParamType : uint8_t {
  Tensor,
  Scalar,
  Int,
  Double,
  Bool,
  String,
  TensorList,
  OptionalTensorList,
  IntList,
  DoubleList,
  BoolList,
  ScalarList,
  StringList,
  ScalarType,
  Layout,
  MemoryFormat,
  Device,
  Generator,
  Stream,
  Storage,
  Unsupported,
};

enum ParamFlag : uint8_t {
  HasDefault = 1,
  TakesNone = 2,
  KeywordOnly = 4,
  NumberAsTensor = 8,  // a Tensor parameter that accepts a Python number
};

struct Param {
  const char* name;
  ParamType type;
  uint8_t flags;
  uint8_t size;  // of a list parameter that also accepts a single value (int[2]); else 0
};

struct Overload {
  const char* text;  // "(Tensor input, Tensor other, *, Number alpha = 1)"
  const Param* params;
  uint8_t num_params;
  uint8_t num_positional;
  uint8_t num_required;  // leading positional parameters without a default
  PyObject** names;      // interned names of the parameters, filled on first use
};

struct Function {
  const char* name;    // "add"
  const char* prefix;  // its name in messages: "aten.add", "Tensor.add"
  const char* module;  // its submodule ("nn.functional"), "" for the top level; null for a method
  const Overload* overloads;
  uint8_t num_overloads;
  bool is_method() const { return module == nullptr; }
};

/// The argument for each parameter of the selected overload, in order; null if the default applies.
class Arguments {
 public:
  /// `storage` has an element for each parameter of the longest overload.
  explicit Arguments(PyObject** storage) : values_(storage) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    if (num_owned_ != 0) [[unlikely]] {
      release_owned();
    }
  }

  /// The index of the selected overload, or -1. In that case the caller returns result(): the result of a
  /// __torch_function__, or null with an error set.
  int parse(const Function& f, PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
  PyObject* result() const { return result_; }

  bool has(int i) const { return values_[i] != nullptr; }

  at::Tensor& tensor(int i) {
    PyObject* o = values_[i];
    if (is_exact_tensor(o)) [[likely]] {
      return unwrap(o);
    }
    return tensor_slow(i);
  }
  /// The method's self.
  static at::Tensor& self(PyObject* o) { return unwrap(o); }
  std::optional<at::Tensor> optional_tensor(int i) {
    return has(i) ? std::optional<at::Tensor>(tensor(i)) : std::nullopt;
  }
  std::vector<at::Tensor> tensors(int i);
  template <size_t N>
  std::array<at::Tensor, N> tensors_n(int i) {
    std::vector<at::Tensor> list = tensors(i);
    check_list_size(i, list.size(), N);
    std::array<at::Tensor, N> out;
    for (size_t k = 0; k < N; ++k) out[k] = std::move(list[k]);
    return out;
  }
  c10::List<std::optional<at::Tensor>> optional_tensors(int i);

  c10::Scalar scalar(int i) { return scalar_of(i); }
  c10::Scalar scalar(int i, const c10::Scalar& otherwise) { return has(i) ? scalar_of(i) : otherwise; }
  std::optional<c10::Scalar> optional_scalar(int i) {
    return has(i) ? std::optional<c10::Scalar>(scalar_of(i)) : std::nullopt;
  }
  std::vector<c10::Scalar> scalars(int i);

  int64_t integer(int i);
  int64_t integer(int i, int64_t otherwise) { return has(i) ? integer(i) : otherwise; }
  std::optional<int64_t> optional_integer(int i) {
    return has(i) ? std::optional<int64_t>(integer(i)) : std::nullopt;
  }
  std::optional<c10::SymInt> optional_symint(int i) {
    return has(i) ? std::optional<c10::SymInt>(integer(i)) : std::nullopt;
  }
  double real(int i);
  double real(int i, double otherwise) { return has(i) ? real(i) : otherwise; }
  std::optional<double> optional_real(int i) {
    return has(i) ? std::optional<double>(real(i)) : std::nullopt;
  }
  bool boolean(int i);
  bool boolean(int i, bool otherwise) { return has(i) ? boolean(i) : otherwise; }
  std::optional<bool> optional_boolean(int i) {
    return has(i) ? std::optional<bool>(boolean(i)) : std::nullopt;
  }
  std::string_view string(int i);
  std::string_view string(int i, std::string_view otherwise) { return has(i) ? string(i) : otherwise; }
  std::optional<std::string_view> optional_string(int i) {
    return has(i) ? std::optional<std::string_view>(string(i)) : std::nullopt;
  }

  /// The integers of a list parameter; the View refers to this object. A SymInt array has the same memory
  /// layout as an int64_t array.
  template <class View>
  class IntList {
   public:
    operator View() const {
      if constexpr (std::is_same_v<View, c10::IntArrayRef>) {
        return {values_.data(), values_.size()};
      } else if constexpr (std::is_same_v<View, c10::SymIntArrayRef>) {
        return c10::fromIntArrayRefUnchecked(c10::IntArrayRef(values_.data(), values_.size()));
      } else {
        if (!given_) return View(std::nullopt);
        return View(typename View::value_type(IntList<typename View::value_type>::view(values_)));
      }
    }

   private:
    friend class Arguments;
    template <class>
    friend class IntList;
    static View view(const c10::SmallVector<int64_t, 6>& v) {
      const c10::IntArrayRef ints(v.data(), v.size());
      if constexpr (std::is_same_v<View, c10::SymIntArrayRef>) {
        return c10::fromIntArrayRefUnchecked(ints);
      } else {
        return ints;
      }
    }
    c10::SmallVector<int64_t, 6> values_;
    bool given_ = true;
  };
  IntList<c10::IntArrayRef> ints(int i) { return list_of<c10::IntArrayRef>(i); }
  IntList<c10::IntArrayRef> ints(int i, std::initializer_list<int64_t> otherwise) {
    return list_of<c10::IntArrayRef>(i, otherwise);
  }
  IntList<c10::SymIntArrayRef> symints(int i) { return list_of<c10::SymIntArrayRef>(i); }
  IntList<c10::SymIntArrayRef> symints(int i, std::initializer_list<int64_t> otherwise) {
    return list_of<c10::SymIntArrayRef>(i, otherwise);
  }
  IntList<c10::OptionalArrayRef<int64_t>> optional_ints(int i) {
    return optional_list<c10::OptionalArrayRef<int64_t>>(i);
  }
  IntList<c10::OptionalArrayRef<c10::SymInt>> optional_symints(int i) {
    return optional_list<c10::OptionalArrayRef<c10::SymInt>>(i);
  }
  std::vector<double> reals(int i);
  std::optional<std::vector<double>> optional_reals(int i) {
    return has(i) ? std::optional<std::vector<double>>(reals(i)) : std::nullopt;
  }
  template <size_t N>
  std::array<bool, N> booleans(int i) {
    std::array<bool, N> out;
    fill_booleans(i, out.data(), N);
    return out;
  }

  c10::ScalarType dtype(int i);
  c10::ScalarType dtype(int i, c10::ScalarType otherwise) { return has(i) ? dtype(i) : otherwise; }
  std::optional<c10::ScalarType> optional_dtype(int i) {
    return has(i) ? std::optional<c10::ScalarType>(dtype(i)) : std::nullopt;
  }
  c10::Layout layout(int i);
  c10::Layout layout(int i, c10::Layout otherwise) { return has(i) ? layout(i) : otherwise; }
  std::optional<c10::Layout> optional_layout(int i) {
    return has(i) ? std::optional<c10::Layout>(layout(i)) : std::nullopt;
  }
  c10::MemoryFormat memory_format(int i);
  c10::MemoryFormat memory_format(int i, c10::MemoryFormat otherwise) {
    return has(i) ? memory_format(i) : otherwise;
  }
  std::optional<c10::MemoryFormat> optional_memory_format(int i) {
    return has(i) ? std::optional<c10::MemoryFormat>(memory_format(i)) : std::nullopt;
  }
  c10::Device device(int i);
  std::optional<c10::Device> optional_device(int i) {
    return has(i) ? std::optional<c10::Device>(device(i)) : std::nullopt;
  }
  at::Generator generator(int i);
  std::optional<at::Generator> optional_generator(int i) {
    return has(i) ? std::optional<at::Generator>(generator(i)) : std::nullopt;
  }
  c10::Stream stream(int i);

  /// For out= variants of factories: dtype, layout and device, if given, must be those of `out`.
  void check_out(const at::Tensor& out, int dtype, int layout, int device);

 private:
  friend class Matcher;

  template <class View>
  IntList<View> list_of(int i) {
    IntList<View> list;
    ints_into(i, list.values_);
    return list;
  }
  template <class View>
  IntList<View> list_of(int i, std::initializer_list<int64_t> otherwise) {
    if (has(i)) return list_of<View>(i);
    IntList<View> list;
    list.values_.append(otherwise.begin(), otherwise.end());
    return list;
  }
  template <class View>
  IntList<View> optional_list(int i) {
    if (has(i)) return list_of<View>(i);
    IntList<View> list;
    list.given_ = false;
    return list;
  }
  at::Tensor& tensor_slow(int i);
  c10::Scalar scalar_of(int i);
  void fill_booleans(int i, bool* out, size_t size);
  void check_list_size(int i, size_t size, size_t expected);
  void ints_into(int i, c10::SmallVector<int64_t, 6>& out);
  /// Keeps a reference until the call has finished.
  void keep(Ref object);
  C10_COLD void release_owned();
  /// The start of a message about the parameter: "aten.add(): argument 'other' (position 2)".
  C10_COLD std::string where(int i) const;
  [[noreturn]] C10_COLD void wrong_value(int i, const char* expected, PyObject* got) const;

  PyObject** values_;
  PyObject* result_ = nullptr;
  const Function* function_ = nullptr;
  const Overload* overload_ = nullptr;
  // Positional arguments that form the single list parameter: view(2, 3).
  PyObject* const* varargs_ = nullptr;
  Py_ssize_t num_varargs_ = 0;
  Py_ssize_t num_given_ = 0;  // positional arguments of the call
  PyObject* owned_[4];        // the first references of keep(); the others are in a list
  int num_owned_ = 0;
};

}  // namespace at::python
