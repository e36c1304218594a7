// c10::string_view: ATen's name for std::string_view.
#pragma once

#include <c10/macros/Macros.h>

#include <string_view>

namespace c10::inline C10_ABI {
using string_view = std::string_view;
}
