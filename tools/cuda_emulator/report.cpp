// Settings and reports.
#include "state.h"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <set>
#include <string>
#include <tuple>

namespace emulator {
namespace {

size_t number(const char* name, size_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::strtoull(value, nullptr, 10) : otherwise;
}

FILE* opened(const char* variable, FILE* otherwise) {
  const char* path = std::getenv(variable);
  FILE* file = path != nullptr && *path != '\0' ? std::fopen(path, "a") : otherwise;
  return file == nullptr ? otherwise : file;
}

const Kernel* current_kernel = nullptr;

}  // namespace

std::string location(const void* pc) {
  Dl_info info{};
  if (pc == nullptr || ::dladdr(pc, &info) == 0 || info.dli_fbase == nullptr) return "-";
  char text[32];
  std::snprintf(text, sizeof(text), "+%#zx",
                static_cast<size_t>(static_cast<const char*>(pc) - static_cast<char*>(info.dli_fbase) - 1));
  return std::string(info.dli_fname) + text;
}

namespace {
Settings& changeable() {
  static Settings all{static_cast<int>(number("EMULATOR_DEVICES", 1)),
                      static_cast<Order>(number("EMULATOR_ORDER", 0)),
                      number("EMULATOR_LAZY", 0) != 0,
                      number("EMULATOR_INITIALISED", 0) != 0,
                      number("EMULATOR_MEGABYTES", 8192) << 20,
                      static_cast<int>(number("EMULATOR_CAPABILITY", 75)),
                      number("EMULATOR_GRID", 0x7fffffff)};
  return all;
}
}  // namespace
const Settings& settings() { return changeable(); }

std::mt19937_64& random_numbers() {
  static std::mt19937_64 generator(number("EMULATOR_SEED", 1));
  return generator;
}

std::recursive_mutex& global_lock() {
  static auto* lock = new std::recursive_mutex();  // never destroyed: tensors are freed when the process ends
  return *lock;
}

void set_reported_kernel(const Kernel* kernel) { current_kernel = kernel; }
const Kernel* reported_kernel() { return current_kernel; }

void report(const char* kind, const void* pc, const void* other_pc, const char* format, ...) {
  using Key = std::tuple<std::string, const char*, const void*, const void*>;
  static auto* seen = new std::set<Key>();
  static FILE* file = opened("EMULATOR_REPORT", stderr);
  const Unchecked own;
  const std::lock_guard<std::recursive_mutex> lock(global_lock());
  const Kernel kernel = current_kernel != nullptr ? *current_kernel : Kernel{"-", {"-", 0}};
  if (!seen->insert({kind, kernel.name, pc, other_pc}).second) return;
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  std::fprintf(file, "EMULATOR\t%s\t%s\t%s:%d\t%s\t%s\t%s\n", kind, kernel.name, kernel.place.file,
               kernel.place.line, location(pc).c_str(), location(other_pc).c_str(), text);
  std::fflush(file);
}

void count_launch(const Kernel& kernel) {
  static FILE* file = opened("EMULATOR_KERNELS", nullptr);
  static auto* seen = new std::set<std::pair<std::string, int>>();
  if (file == nullptr || !seen->insert({kernel.place.file, kernel.place.line}).second) return;
  std::fprintf(file, "%s:%d\t%s\n", kernel.place.file, kernel.place.line, kernel.name);
  std::fflush(file);
}

}  // namespace emulator

// For tests that run the same kernels in several orders (three_orders.py). What was launched before has run,
// unless streams are lazy.
extern "C" void emulator_set_order(int order) {
  emulator::changeable().order = static_cast<emulator::Order>(order);
}
