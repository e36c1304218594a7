// Quantization schemes. No quantized tensors exist here; schemas name the type, so its values can be named.
#pragma once

#include <c10/macros/Macros.h>

#include <cstdint>
#include <string>

namespace c10::inline C10_ABI {

enum class QScheme : uint8_t {
  PER_TENSOR_AFFINE,
  PER_CHANNEL_AFFINE,
  PER_TENSOR_SYMMETRIC,
  PER_CHANNEL_SYMMETRIC,
  PER_CHANNEL_AFFINE_FLOAT_QPARAMS,
  COMPILE_TIME_NUM_QSCHEMES
};

constexpr QScheme kPerTensorAffine = QScheme::PER_TENSOR_AFFINE;
constexpr QScheme kPerChannelAffine = QScheme::PER_CHANNEL_AFFINE;
constexpr QScheme kPerTensorSymmetric = QScheme::PER_TENSOR_SYMMETRIC;
constexpr QScheme kPerChannelSymmetric = QScheme::PER_CHANNEL_SYMMETRIC;
constexpr QScheme kPerChannelAffineFloatQParams = QScheme::PER_CHANNEL_AFFINE_FLOAT_QPARAMS;

constexpr const char* toString(QScheme scheme) {
  constexpr const char* names[] = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric",
                                   "per_channel_symmetric", "per_channel_affine_float_qparams"};
  const auto index = static_cast<unsigned>(scheme);
  return index < static_cast<unsigned>(QScheme::COMPILE_TIME_NUM_QSCHEMES) ? names[index] : "unknown";
}
inline void append_to(std::string& out, QScheme scheme) { out += toString(scheme); }

}  // namespace c10::inline C10_ABI
