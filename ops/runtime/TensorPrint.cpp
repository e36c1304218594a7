// std::ostream << Tensor.
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace at::inline C10_ABI {
namespace {

std::string text_of(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// "%.0f" where all are integers, four decimals where these tell them apart, else an exponent.
const char* format_of(const std::vector<double>& values) {
  double least = INFINITY, most = 0;
  bool whole = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    whole = whole && value == std::trunc(value);
    most = std::max(most, std::abs(value));
    if (value != 0) least = std::min(least, std::abs(value));
  }
  if (whole && most < 1e15) return "%.0f";
  return most < 1e5 && least >= 1e-4 ? "%.4f" : "%.4e";
}

template <class T>
double part(const void* data, int64_t i) {
  return static_cast<double>(static_cast<const T*>(data)[i]);
}

double real_part(const void* data, ScalarType dtype, int64_t i) {
  switch (dtype) {
    case kBool:
      return part<bool>(data, i);
    case kByte:
      return part<uint8_t>(data, i);
    case kChar:
      return part<int8_t>(data, i);
    case kShort:
      return part<int16_t>(data, i);
    case kInt:
      return part<int32_t>(data, i);
    case kUInt16:
      return part<uint16_t>(data, i);
    case kUInt32:
      return part<uint32_t>(data, i);
    case kHalf:
      return part<c10::Half>(data, i);
    case kBFloat16:
      return part<c10::BFloat16>(data, i);
    case kFloat:
      return part<float>(data, i);
    case kDouble:
      return part<double>(data, i);
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "operator<<: not implemented for ", dtype);
  }
}

// The elements in order. 64-bit integers are exact, where a double isn't.
std::vector<std::string> texts_of(const Tensor& t) {
  const void* data = t.const_data_ptr();
  const ScalarType dtype = t.scalar_type();
  std::vector<std::string> texts;
  if (dtype == kLong || dtype == kUInt64) {
    for (int64_t i = 0; i < t.numel(); ++i) {
      texts.push_back(dtype == kLong ? std::to_string(static_cast<const int64_t*>(data)[i])
                                     : std::to_string(static_cast<const uint64_t*>(data)[i]));
    }
    return texts;
  }
  const bool is_complex = t.is_complex();
  const ScalarType parts = is_complex ? c10::toRealValueType(dtype) : dtype;
  std::vector<double> values;
  for (int64_t i = 0; i < t.numel() * (is_complex ? 2 : 1); ++i) values.push_back(real_part(data, parts, i));
  const char* format = format_of(values);
  for (size_t i = 0; i < values.size(); i += is_complex ? 2 : 1) {
    std::string text = text_of(values[i], format);
    if (is_complex) {
      text += values[i + 1] < 0 || std::signbit(values[i + 1]) ? "" : "+";
      text += text_of(values[i + 1], format) + "j";
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

// "(1,2,.,.) = ": which matrix of the tensor the number is of.
std::string matrix_name(IntArrayRef sizes, int64_t number) {
  std::string name;
  for (size_t d = sizes.size() - 2; d-- > 0; number /= sizes[d]) {
    name.insert(0, std::to_string(number % sizes[d] + 1) + ",");
  }
  return "(" + name + ".,.) = \n";
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  if (!tensor.defined()) return stream << "[ Tensor (undefined) ]";
  if (!tensor.is_meta() && tensor.numel() > 0) {
    const std::vector<std::string> texts = texts_of(tensor.cpu().contiguous());
    size_t width = 0;
    for (const std::string& text : texts) width = std::max(width, text.size());
    const IntArrayRef sizes = tensor.sizes();
    const int64_t columns = sizes.size() < 2 ? 1 : sizes.back();
    const int64_t rows = sizes.size() < 2 ? tensor.numel() : sizes[sizes.size() - 2];
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      if (sizes.size() > 2 && i % (rows * columns) == 0) {
        stream << (i == 0 ? "" : "\n") << matrix_name(sizes, i / (rows * columns));
      }
      const std::string& text = texts[static_cast<size_t>(i)];
      if (!sizes.empty()) stream << (i % columns == 0 ? " " : "  ") << std::string(width - text.size(), ' ');
      stream << text;
      if ((i + 1) % columns == 0) stream << '\n';
    }
  }
  stream << "[ " << tensor.toString() << '{';
  for (int64_t d = 0; d < tensor.dim(); ++d) stream << (d == 0 ? "" : ",") << tensor.size(d);
  return stream << "} ]";
}

}  // namespace at::inline C10_ABI
