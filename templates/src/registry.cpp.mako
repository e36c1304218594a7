<%namespace name="cpp" file="/lib/cpp.mako"/>\
${cpp.banner(view)}\
// All operators of this library, registered with the dispatcher when it is loaded.
% for include in view.includes:
#include <ATen/ops/${include}_ops.h>
% endfor
#include <ATen/core/dispatch/Dispatcher.h>

#include <iterator>

namespace at::inline C10_ABI {
namespace {

c10::OperatorEntry* const operators[] = {
% for struct in view.structs:
    &_ops::${struct}::entry,
% endfor
};

// Runs when the library is loaded.
[[maybe_unused]] const bool registered = [] {
  c10::register_operators(operators, std::size(operators), ${view.name_literal});
  return true;
}();

}  // namespace
}  // namespace at::inline C10_ABI
