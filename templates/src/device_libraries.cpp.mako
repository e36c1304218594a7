<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// Where the kernels for CUDA are, a library beside this one, which is loaded when the first CUDA device is used.
#include <c10/core/impl/DeviceInterface.h>

namespace {

const bool registered = [] {
  c10::load_with_device(c10::DeviceType::CUDA, &registered, ${view.file});
  return true;
}();

}  // namespace
