// IValue's conversions.
#include <ATen/core/ivalue.h>

#include <c10/util/Exception.h>

namespace c10::inline C10_ABI {

namespace {

struct StringHolder final : intrusive_ptr_target {
  explicit StringHolder(std::string value) : value(std::move(value)) {}
  std::string value;
};

struct ComplexHolder final : intrusive_ptr_target {
  explicit ComplexHolder(c10::complex<double> value) : value(value) {}
  c10::complex<double> value;
};

struct StreamHolder final : intrusive_ptr_target {
  explicit StreamHolder(Stream value) : value(value) {}
  Stream value;
};

struct PyObjectHolder final : intrusive_ptr_target {
  PyObjectHolder(void* object, void (*release)(void*)) : object(object), release(release) {}
  ~PyObjectHolder() override {
    if (release) release(object);
  }
  void* object;
  void (*release)(void*);
};

template <class T>
intrusive_ptr<intrusive_ptr_target> erased(intrusive_ptr<T> p) {
  return intrusive_ptr<intrusive_ptr_target>::reclaim(p.release());
}

template <class T, class... Args>
intrusive_ptr<intrusive_ptr_target> make_erased(Args&&... args) {
  return erased(make_intrusive<T>(std::forward<Args>(args)...));
}

template <class Fits>
bool all_elements(const IValue& list, Fits fits) noexcept {
  if (!list.isList()) return false;
  for (const IValue& e : list.toListRef()) {
    if (!fits(e)) return false;
  }
  return true;
}

}  // namespace

namespace detail {

ListImpl::~ListImpl() = default;
TupleImpl::~TupleImpl() = default;

void check_list_size(size_t size, size_t expected) {
  TORCH_CHECK_VALUE(size == expected, "expected ", expected, " elements, but got ", size);
}

}  // namespace detail

IValue::IValue(SymInt x) : IValue(static_cast<int64_t>(x)) {}

IValue::IValue(const Scalar& x) : IValue() {
  if (x.isBoolean()) {
    *this = IValue(x.toBool());
  } else if (x.isComplex()) {
    *this = IValue(x.toComplexDouble());
  } else if (x.isFloatingPoint()) {
    *this = IValue(x.toDouble());
  } else if (x.type() == kUInt64) {
    tag_ = Tag::UInt;
    payload_.as_int = static_cast<int64_t>(x.to<uint64_t>());
  } else {
    *this = IValue(x.toLong());
  }
}

IValue::IValue(c10::complex<double> x) { set_pointer(Tag::ComplexDouble, make_erased<ComplexHolder>(x)); }
IValue::IValue(std::string x) { set_pointer(Tag::String, make_erased<StringHolder>(std::move(x))); }
IValue::IValue(std::string_view x) : IValue(std::string(x)) {}
IValue::IValue(Storage x) { set_pointer(Tag::Storage, erased(x.getIntrusivePtr())); }
IValue::IValue(Stream x) { set_pointer(Tag::Stream, make_erased<StreamHolder>(x)); }
IValue::IValue(at::Generator x) : IValue() {
  if (x.defined()) set_pointer(Tag::Generator, erased(x.getIntrusivePtr()));
}
IValue::IValue(intrusive_ptr<detail::ListImpl> x) { set_pointer(Tag::GenericList, erased(std::move(x))); }
IValue::IValue(intrusive_ptr<detail::TupleImpl> x) { set_pointer(Tag::Tuple, erased(std::move(x))); }

IValue IValue::make_tuple(std::vector<IValue> elements) {
  return IValue(make_intrusive<detail::TupleImpl>(std::move(elements)));
}

IValue IValue::from_py_object(void* object, void (*release)(void*)) {
  IValue v;
  v.set_pointer(Tag::PyObject, make_erased<PyObjectHolder>(object, release));
  return v;
}

const char* IValue::tagKind() const noexcept {
  static constexpr const char* names[] = {"None",  "Tensor",  "Double",        "Int",       "UInt",
                                          "Bool",  "Device",  "ComplexDouble", "String",    "GenericList",
                                          "Tuple", "Storage", "Stream",        "Generator", "PyObject"};
  return names[static_cast<uint32_t>(tag_)];
}

void IValue::wrong_kind(const char* expected) const {
  throw TypeError(str("expected a value of kind ", expected, ", but got ", tagKind()));
}

bool IValue::isTensorList() const noexcept {
  return all_elements(*this, [](const IValue& e) { return e.isTensor(); });
}
bool IValue::isOptionalTensorList() const noexcept {
  return all_elements(*this, [](const IValue& e) { return e.isTensor() || e.isNone(); });
}
bool IValue::isIntList() const noexcept {
  return all_elements(*this, [](const IValue& e) { return e.isInt(); });
}
bool IValue::isDoubleList() const noexcept {
  return all_elements(*this, [](const IValue& e) { return e.isDouble(); });
}
bool IValue::isBoolList() const noexcept {
  return all_elements(*this, [](const IValue& e) { return e.isBool(); });
}

double IValue::toDouble() const {
  if (isInt()) return static_cast<double>(payload_.as_int);
  if (tag_ == Tag::UInt) return static_cast<double>(static_cast<uint64_t>(payload_.as_int));
  if (!isDouble()) wrong_kind("Double");
  return payload_.as_double;
}

c10::complex<double> IValue::toComplexDouble() const {
  if (!isComplexDouble()) return {toDouble(), 0.0};
  return pointer_as<ComplexHolder>(Tag::ComplexDouble, "ComplexDouble")->value;
}

Scalar IValue::toScalar() const {
  switch (tag_) {
    case Tag::Double:
      return Scalar(payload_.as_double);
    case Tag::Int:
      return Scalar(payload_.as_int);
    case Tag::UInt:
      return Scalar(static_cast<uint64_t>(payload_.as_int));
    case Tag::Bool:
      return Scalar(toBool());
    case Tag::ComplexDouble:
      return Scalar(toComplexDouble());
    default:
      wrong_kind("Scalar");
  }
}

const std::string& IValue::toStringRef() const {
  return pointer_as<StringHolder>(Tag::String, "String")->value;
}

Storage IValue::toStorage() const {
  return Storage(intrusive_ptr<StorageImpl>::reclaim_copy(pointer_as<StorageImpl>(Tag::Storage, "Storage")));
}

Stream IValue::toStream() const { return pointer_as<StreamHolder>(Tag::Stream, "Stream")->value; }

at::Generator IValue::toGenerator() const {
  if (isNone()) return at::Generator();
  return at::Generator(
      intrusive_ptr<GeneratorImpl>::reclaim_copy(pointer_as<GeneratorImpl>(Tag::Generator, "Generator")));
}

ArrayRef<IValue> IValue::toListRef() const {
  return pointer_as<detail::ListImpl>(Tag::GenericList, "GenericList")->list;
}

ArrayRef<IValue> IValue::toTupleRef() const {
  return pointer_as<detail::TupleImpl>(Tag::Tuple, "Tuple")->elements;
}

intrusive_ptr<detail::ListImpl> IValue::toListImpl() const {
  return intrusive_ptr<detail::ListImpl>::reclaim_copy(
      pointer_as<detail::ListImpl>(Tag::GenericList, "GenericList"));
}

std::vector<int64_t> IValue::toIntVector() const { return to<std::vector<int64_t>>(); }
std::vector<double> IValue::toDoubleVector() const { return to<std::vector<double>>(); }
std::vector<bool> IValue::toBoolVector() const { return to<std::vector<bool>>(); }

void* IValue::toPyObject() const { return pointer_as<PyObjectHolder>(Tag::PyObject, "PyObject")->object; }

bool IValue::operator==(const IValue& rhs) const {
  if (tag_ != rhs.tag_) return false;
  switch (tag_) {
    case Tag::None:
      return true;
    case Tag::Tensor:
      return payload_.as_tensor.is_same(rhs.payload_.as_tensor);
    case Tag::Double:
      return payload_.as_double == rhs.payload_.as_double;
    case Tag::Int:
    case Tag::UInt:
    case Tag::Bool:
      return payload_.as_int == rhs.payload_.as_int;
    case Tag::Device:
      return payload_.as_device == rhs.payload_.as_device;
    case Tag::ComplexDouble:
      return toComplexDouble() == rhs.toComplexDouble();
    case Tag::String:
      return toStringRef() == rhs.toStringRef();
    case Tag::GenericList:
      return toListRef() == rhs.toListRef();
    case Tag::Tuple:
      return toTupleRef() == rhs.toTupleRef();
    case Tag::Stream:
      return toStream() == rhs.toStream();
    case Tag::PyObject:
      return toPyObject() == rhs.toPyObject();
    default:
      return payload_.as_pointer == rhs.payload_.as_pointer;
  }
}

}  // namespace c10::inline C10_ABI
