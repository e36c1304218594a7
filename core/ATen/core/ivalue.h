// A value of any type that occurs in operator schemas, in 16 bytes: what boxed kernels and Python bindings
// pass around.
#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/QScheme.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/Stream.h>
#include <c10/core/SymInt.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/complex.h>
#include <c10/util/intrusive_ptr.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::inline C10_ABI {
class Tensor;
}

namespace c10::inline C10_ABI {

struct IValue;
template <class T>
class List;

namespace detail {
struct ListImpl;
struct TupleImpl;
template <class T, class = void>
struct IValueCast;  // IValueCast<T>::from(const IValue&) -> T
}  // namespace detail

// ScalarType, Layout, MemoryFormat and QScheme are stored as Int, a Scalar as its value, an optional as None
// or its value.
struct C10_API IValue final {
  enum class Tag : uint32_t {
    None,
    Tensor,
    Double,
    Int,
    UInt,  // a Scalar beyond int64_t
    Bool,
    Device,
    // From here on held by intrusive pointer.
    ComplexDouble,
    String,
    GenericList,
    Tuple,
    Storage,
    Stream,
    Generator,
    PyObject,
  };

  IValue() noexcept : tag_(Tag::None) { payload_.as_int = 0; }
  IValue(std::nullopt_t) noexcept : IValue() {}
  IValue(const IValue& rhs) : tag_(rhs.tag_) { copy_payload(rhs); }
  IValue(IValue&& rhs) noexcept : tag_(rhs.tag_) { steal_payload(rhs); }
  IValue& operator=(const IValue& rhs) { return *this = IValue(rhs); }
  IValue& operator=(IValue&& rhs) noexcept {
    if (this != &rhs) {
      destroy();
      tag_ = rhs.tag_;
      steal_payload(rhs);
    }
    return *this;
  }
  ~IValue() { destroy(); }

  IValue(at::TensorBase t) : tag_(Tag::Tensor) { new (&payload_.as_tensor) at::TensorBase(std::move(t)); }
  IValue(double x) : tag_(Tag::Double) { payload_.as_double = x; }
  IValue(bool x) : tag_(Tag::Bool) { payload_.as_int = x; }
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  IValue(T x) : tag_(Tag::Int) {
    payload_.as_int = static_cast<int64_t>(x);
  }
  template <class T>
    requires(std::is_same_v<T, ScalarType> || std::is_same_v<T, Layout> || std::is_same_v<T, MemoryFormat> ||
             std::is_same_v<T, QScheme>)
  IValue(T x) : IValue(static_cast<int64_t>(x)) {}
  IValue(SymInt x);
  IValue(Device x) : tag_(Tag::Device) { payload_.as_device = x; }
  IValue(const Scalar& x);
  IValue(c10::complex<double> x);
  IValue(std::string x);
  IValue(std::string_view x);
  IValue(const char* x) : IValue(std::string_view(x)) {}
  IValue(Storage x);
  IValue(Stream x);
  IValue(at::Generator x);  // None where it is undefined
  IValue(intrusive_ptr<detail::ListImpl> x);
  IValue(intrusive_ptr<detail::TupleImpl> x);
  template <class T>
  IValue(const List<T>& x) : IValue(x.impl()) {}
  template <class T>
  IValue(const std::optional<T>& x) : IValue(x.has_value() ? IValue(*x) : IValue()) {}
  template <class T>
  IValue(ArrayRef<T> x) : IValue(make_list(x.begin(), x.end(), x.size())) {}
  template <class T>
  IValue(const std::vector<T>& x) : IValue(make_list(x.begin(), x.end(), x.size())) {}
  template <class T, size_t N>
  IValue(const std::array<T, N>& x) : IValue(make_list(x.begin(), x.end(), N)) {}
  template <class... T>
  IValue(const std::tuple<T...>& x)
      : IValue(std::apply([](const auto&... e) { return make_tuple({IValue(e)...}); }, x)) {}

  static IValue make_tuple(std::vector<IValue> elements);
  // Takes over one reference to an object of the language binding; `release` drops it with the last IValue.
  static IValue from_py_object(void* object, void (*release)(void*));

  Tag tag() const noexcept { return tag_; }
  // The tag's name: "None", "Tensor", ...
  const char* tagKind() const noexcept;

  bool isNone() const noexcept { return tag_ == Tag::None; }
  bool isTensor() const noexcept { return tag_ == Tag::Tensor; }
  bool isDouble() const noexcept { return tag_ == Tag::Double; }
  bool isComplexDouble() const noexcept { return tag_ == Tag::ComplexDouble; }
  bool isInt() const noexcept { return tag_ == Tag::Int; }
  bool isSymInt() const noexcept { return false; }
  bool isBool() const noexcept { return tag_ == Tag::Bool; }
  bool isScalar() const noexcept {
    return isDouble() || isInt() || tag_ == Tag::UInt || isBool() || isComplexDouble();
  }
  bool isString() const noexcept { return tag_ == Tag::String; }
  bool isList() const noexcept { return tag_ == Tag::GenericList; }
  bool isTuple() const noexcept { return tag_ == Tag::Tuple; }
  bool isDevice() const noexcept { return tag_ == Tag::Device; }
  bool isStorage() const noexcept { return tag_ == Tag::Storage; }
  bool isStream() const noexcept { return tag_ == Tag::Stream; }
  bool isGenerator() const noexcept { return tag_ == Tag::Generator; }
  bool isPyObject() const noexcept { return tag_ == Tag::PyObject; }
  // Lists all of whose elements are of that kind; an empty list is of every kind.
  bool isTensorList() const noexcept;
  bool isOptionalTensorList() const noexcept;
  bool isIntList() const noexcept;
  bool isDoubleList() const noexcept;
  bool isBoolList() const noexcept;

  // Each throws c10::TypeError when the value is of another kind.
  const at::TensorBase& toTensorBase() const {
    if (!isTensor()) [[unlikely]] {
      wrong_kind("Tensor");
    }
    return payload_.as_tensor;
  }
  at::TensorBase& toTensorBase() {
    if (!isTensor()) [[unlikely]] {
      wrong_kind("Tensor");
    }
    return payload_.as_tensor;
  }
  // A template only so that at::Tensor need not be complete here.
  template <class T = at::Tensor>
  T toTensor() const& {
    return T(toTensorBase());
  }
  template <class T = at::Tensor>
  T toTensor() && {
    return T(std::move(toTensorBase()));
  }
  int64_t toInt() const {
    if (!isInt()) [[unlikely]] {
      wrong_kind("Int");
    }
    return payload_.as_int;
  }
  SymInt toSymInt() const { return SymInt(toInt()); }
  bool toBool() const {
    if (!isBool()) [[unlikely]] {
      wrong_kind("Bool");
    }
    return payload_.as_int != 0;
  }
  double toDouble() const;                       // also of Int
  c10::complex<double> toComplexDouble() const;  // of every number
  Scalar toScalar() const;
  const std::string& toStringRef() const;
  std::string_view toStringView() const { return toStringRef(); }
  Device toDevice() const {
    if (!isDevice()) [[unlikely]] {
      wrong_kind("Device");
    }
    return payload_.as_device;
  }
  Storage toStorage() const;
  Stream toStream() const;
  at::Generator toGenerator() const;
  ScalarType toScalarType() const { return static_cast<ScalarType>(toInt()); }
  Layout toLayout() const { return static_cast<Layout>(toInt()); }
  MemoryFormat toMemoryFormat() const { return static_cast<MemoryFormat>(toInt()); }
  ArrayRef<IValue> toListRef() const;
  ArrayRef<IValue> toTupleRef() const;
  intrusive_ptr<detail::ListImpl> toListImpl() const;
  std::vector<int64_t> toIntVector() const;
  std::vector<double> toDoubleVector() const;
  std::vector<bool> toBoolVector() const;
  template <class T = at::Tensor>
  std::vector<T> toTensorVector() const;
  void* toPyObject() const;

  // The value as T, any type that schemas name.
  template <class T>
  T to() const {
    return detail::IValueCast<T>::from(*this);
  }
  template <class T>
  std::optional<T> toOptional() const {
    return isNone() ? std::optional<T>() : std::optional<T>(to<T>());
  }

  // Same kind and equal value; tensors and objects by identity.
  bool operator==(const IValue& rhs) const;
  bool is(const IValue& rhs) const { return *this == rhs; }

 private:
  template <class Iterator>
  static intrusive_ptr<detail::ListImpl> make_list(Iterator begin, Iterator end, size_t size);

  bool is_pointer() const noexcept { return tag_ >= Tag::ComplexDouble; }
  void copy_payload(const IValue& rhs) {
    if (tag_ == Tag::Tensor) {
      new (&payload_.as_tensor) at::TensorBase(rhs.payload_.as_tensor);
    } else if (is_pointer()) {
      new (&payload_.as_pointer) intrusive_ptr<intrusive_ptr_target>(rhs.payload_.as_pointer);
    } else {
      payload_.as_int = rhs.payload_.as_int;
    }
  }
  // Both pointer members are one word that owns a reference, so moving copies the word and clears the source.
  void steal_payload(IValue& rhs) noexcept {
    __builtin_memcpy(static_cast<void*>(&payload_), static_cast<const void*>(&rhs.payload_),
                     sizeof(payload_));
    rhs.tag_ = Tag::None;
  }
  void destroy() noexcept {
    if (tag_ == Tag::Tensor) {
      payload_.as_tensor.~TensorBase();
    } else if (is_pointer()) {
      payload_.as_pointer.~intrusive_ptr<intrusive_ptr_target>();
    }
  }
  void set_pointer(Tag tag, intrusive_ptr<intrusive_ptr_target> p) noexcept {
    tag_ = tag;
    new (&payload_.as_pointer) intrusive_ptr<intrusive_ptr_target>(std::move(p));
  }
  template <class T>
  T* pointer_as(Tag tag, const char* kind) const {
    if (tag_ != tag) [[unlikely]] {
      wrong_kind(kind);
    }
    return static_cast<T*>(payload_.as_pointer.get());
  }
  [[noreturn]] C10_COLD void wrong_kind(const char* expected) const;

  union Payload {
    Payload() {}
    ~Payload() {}
    int64_t as_int;
    double as_double;
    Device as_device;
    at::TensorBase as_tensor;
    intrusive_ptr<intrusive_ptr_target> as_pointer;
  };
  Payload payload_;
  Tag tag_;
};

static_assert(sizeof(IValue) == 16);

namespace detail {

struct C10_API ListImpl final : intrusive_ptr_target {
  explicit ListImpl(std::vector<IValue> list = {}) : list(std::move(list)) {}
  ~ListImpl() override;
  std::vector<IValue> list;
};

struct C10_API TupleImpl final : intrusive_ptr_target {
  explicit TupleImpl(std::vector<IValue> elements) : elements(std::move(elements)) {}
  ~TupleImpl() override;
  std::vector<IValue> elements;
};

// Throws c10::ValueError unless the list has `expected` elements.
C10_API void check_list_size(size_t size, size_t expected);

template <class T>
struct IValueCast<T, std::enable_if_t<std::is_base_of_v<at::TensorBase, T>>> {
  static T from(const IValue& v) { return T(v.toTensorBase()); }
};
template <class T>
struct IValueCast<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static T from(const IValue& v) { return static_cast<T>(v.toInt()); }
};
template <class T>
struct IValueCast<T, std::enable_if_t<std::is_enum_v<T>>> {
  static T from(const IValue& v) { return static_cast<T>(v.toInt()); }
};

#define C10_IVALUE_CAST(type, method)                        \
  template <>                                                \
  struct IValueCast<type> {                                  \
    static type from(const IValue& v) { return v.method(); } \
  };
C10_IVALUE_CAST(bool, toBool)
C10_IVALUE_CAST(double, toDouble)
C10_IVALUE_CAST(SymInt, toSymInt)
C10_IVALUE_CAST(Scalar, toScalar)
C10_IVALUE_CAST(c10::complex<double>, toComplexDouble)
C10_IVALUE_CAST(std::string, toStringRef)
C10_IVALUE_CAST(std::string_view, toStringView)
C10_IVALUE_CAST(Device, toDevice)
C10_IVALUE_CAST(Storage, toStorage)
C10_IVALUE_CAST(Stream, toStream)
C10_IVALUE_CAST(at::Generator, toGenerator)
#undef C10_IVALUE_CAST

template <>
struct IValueCast<IValue> {
  static IValue from(const IValue& v) { return v; }
};
template <class T>
struct IValueCast<std::optional<T>> {
  static std::optional<T> from(const IValue& v) { return v.toOptional<T>(); }
};
template <class T>
struct IValueCast<std::vector<T>> {
  C10_NOINLINE static std::vector<T> from(const IValue& v) {
    const ArrayRef<IValue> list = v.toListRef();
    std::vector<T> out;
    out.reserve(list.size());
    for (const IValue& e : list) out.push_back(e.to<T>());
    return out;
  }
};
template <class T, size_t N>
struct IValueCast<std::array<T, N>> {
  static std::array<T, N> from(const IValue& v) {
    const ArrayRef<IValue> list = v.toListRef();
    check_list_size(list.size(), N);
    std::array<T, N> out{};
    for (size_t i = 0; i < N; ++i) out[i] = list[i].to<T>();
    return out;
  }
};
template <class... T>
struct IValueCast<std::tuple<T...>> {
  static std::tuple<T...> from(const IValue& v) {
    const ArrayRef<IValue> elements = v.toTupleRef();
    check_list_size(elements.size(), sizeof...(T));
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return std::tuple<T...>(elements[I].template to<T>()...);
    }(std::index_sequence_for<T...>());
  }
};

}  // namespace detail

template <class Iterator>
C10_NOINLINE intrusive_ptr<detail::ListImpl> IValue::make_list(Iterator begin, Iterator end, size_t size) {
  auto impl = make_intrusive<detail::ListImpl>();
  impl->list.reserve(size);
  for (; begin != end; ++begin) impl->list.emplace_back(*begin);
  return impl;
}

template <class T>
std::vector<T> IValue::toTensorVector() const {
  return to<std::vector<T>>();
}

}  // namespace c10::inline C10_ABI

namespace torch::inline C10_ABI {
using c10::IValue;
}
