// Which kernel serves which key, against tables that PyTorch's dispatcher computed.
//
//   test_dispatch_table [FILE]    FILE: what write_dispatch_cases.py makes of dispatch_cases.json.gz.
#include <ATen/core/Library.h>
#include <ATen/core/Tensor.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "dispatch_common.h"

using c10::DispatchKey;
using c10::DispatchRule;

static at::Tensor kernel(const at::Tensor& x) { return x; }

static const std::map<std::string, DispatchRule> rules = {
    {"kernel", DispatchRule::OwnKernel},
    {"default backend kernel", DispatchRule::DefaultBackendKernel},
    {"nested kernel", DispatchRule::NestedKernel},
    {"math kernel", DispatchRule::MathKernel},
    {"ambiguous autogradother", DispatchRule::AmbiguousAutogradOther},
    {"autograd kernel", DispatchRule::AutogradKernel},
    {"batched kernel", DispatchRule::BatchedKernel},
    {"backend fallback", DispatchRule::BackendFallback},
};

struct Slot {
  std::string kernel;
  std::string rule;
};

struct Case {
  std::vector<std::string> registered;
  std::map<std::string, Slot>
      table;  // runtime keys that have a kernel; the others, if `keys` names them, have none
};

static void check_slot(const Case& c, const std::string& key, const c10::DispatchTable& table, int* entries) {
  const uint64_t slot = c10::getDispatchTableIndexForDispatchKey(c10::parseDispatchKey(key));
  ++*entries;
  const auto expected = c.table.find(key);
  const c10::Kernel* found = table.kernels[slot];
  bool same;
  if (expected == c.table.end()) {
    same = table.rules[slot] == DispatchRule::Missing;
  } else {
    const auto& [name, rule] = expected->second;
    same = table.rules[slot] == rules.at(rule);
    if (same && rule == "backend fallback") {
      same = table.fallthrough[slot] == (name == "fallthrough");
    } else if (same && name != "ambiguous") {
      same = found && found->where == name;
    }
  }
  if (!same) std::printf("  %s: found %s\n", key.c_str(), found ? found->where.c_str() : "nothing");
  CHECK(same);
}

static void check_case(const Case& c, const std::vector<std::string>& keys, int* entries) {
  torch::Library library(torch::Library::FRAGMENT, "cases", std::nullopt, "test", 1);
  library.def("foo(Tensor x) -> Tensor");
  for (const std::string& key : c.registered) {
    library.impl("foo",
                 torch::dispatch(c10::parseDispatchKey(key), torch::CppFunction(&kernel).debug("fn_" + key)));
  }
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("cases::foo", "");
  for (const std::string& key : keys) check_slot(c, key, op.entry().resolved_table(), entries);
}

static void no_op(const c10::OperatorHandle&, c10::Stack*) {}

static void check_file(const char* path) {
  std::ifstream file(path);
  CHECK(file.good());
  torch::Library fallbacks(torch::Library::IMPL, "_", std::nullopt, "test", 1);
  std::vector<std::string> keys;
  Case current;
  int cases = 0;
  int entries = 0;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string verb, word;
    words >> verb;
    if (verb == "fallback") {
      std::string key, kind;
      words >> key >> kind;
      const auto parsed = c10::parseDispatchKey(key);
      if (kind == "kernel") {
        fallbacks.fallback(torch::dispatch(parsed, torch::CppFunction::makeFromBoxedFunction<&no_op>()));
      }
    } else if (verb == "keys") {
      keys.clear();
      while (words >> word) keys.push_back(word);
    } else if (verb == "case") {
      current = {};
      while (words >> word) current.registered.push_back(word);
    } else if (verb == "slot") {
      std::string key;
      Slot slot;
      words >> key >> slot.kernel >> std::ws;
      std::getline(words, slot.rule);
      current.table[key] = slot;
    } else if (verb == "end") {
      check_case(current, keys, &entries);
      ++cases;
    }
  }
  CHECK(cases > 0);
  std::printf("%d tables, %d entries compared\n", cases, entries);
}

// A few of the rules by hand, for when there is no file.
static void check_rules() {
  torch::Library library(torch::Library::FRAGMENT, "cases", std::nullopt, "test", 1);
  library.def("bar(Tensor x) -> Tensor");
  library.impl("bar", torch::dispatch(DispatchKey::CompositeImplicitAutograd, &kernel));
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("cases::bar", "");
  const auto rule = [&](DispatchKey k) {
    return op.entry().resolved_table().rules[c10::getDispatchTableIndexForDispatchKey(k)];
  };
  CHECK(rule(DispatchKey::CPU) == DispatchRule::MathKernel);
  CHECK(rule(DispatchKey::AutogradCPU) == DispatchRule::MathKernel);
  CHECK(rule(DispatchKey::BackendSelect) == DispatchRule::BackendFallback);
  {
    torch::Library more(torch::Library::IMPL, "cases", DispatchKey::CPU, "test", 2);
    more.impl("bar", &kernel);
    CHECK(rule(DispatchKey::CPU) == DispatchRule::OwnKernel);
    CHECK(rule(DispatchKey::AutogradCPU) == DispatchRule::BackendFallback);
    CHECK(rule(DispatchKey::AutogradCUDA) == DispatchRule::MathKernel);
  }
  CHECK(rule(DispatchKey::AutogradCPU) == DispatchRule::MathKernel);
  CHECK(contains(op.dumpComputedTable(), "CPU: registered at test:1 [math kernel]"));
}

int main(int argc, char** argv) {
  check_rules();
  if (argc > 1) {
    check_file(argv[1]);
  } else {
    std::printf("SKIPPED: no file of PyTorch's tables was given\n");
  }
  return check_result();
}
