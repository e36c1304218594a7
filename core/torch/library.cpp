// torch::Library's handling of names, keys and kernels.
#include <ATen/core/Library.h>

#include <c10/util/Exception.h>

namespace torch::inline C10_ABI {

namespace {
const char* macro_name(Library::Kind kind) {
  switch (kind) {
    case Library::DEF:
      return "TORCH_LIBRARY";
    case Library::IMPL:
      return "TORCH_LIBRARY_IMPL";
    default:
      return "TORCH_LIBRARY_FRAGMENT";
  }
}
}  // namespace

Library::Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> key, const char* file,
                 uint32_t line)
    : kind_(kind), key_(key), file_(file), line_(line) {
  if (ns != "_") ns_ = std::move(ns);
  TORCH_CHECK(ns_ || kind != DEF, where(), ": _ stands for any namespace, so nothing can be defined in it");
  // CatchAll is the former name of a kernel's key when none is given.
  if (key_ == c10::DispatchKey::CatchAll) key_.reset();
  if (kind == DEF) registrations_.push_back(c10::Dispatcher::singleton().registerLibrary(*ns_, where()));
}

Library::~Library() { reset(); }

// In reverse order: kernels before the definitions they belong to.
void Library::reset() {
  while (!registrations_.empty()) registrations_.pop_back();
}

std::string Library::where() const { return c10::str("registered at ", file_, ":", line_); }

c10::OperatorName Library::qualified(std::string_view name) const {
  c10::OperatorName parsed = jit::parseName(name);
  const std::string_view given = parsed.getNamespace();
  if (given.empty()) {
    TORCH_CHECK(ns_, name, ": ", where(), " is in namespace _, so names in it need a namespace");
    parsed.name = *ns_ + "::" + parsed.name;
  } else {
    TORCH_CHECK(!ns_ || given == *ns_, name, ": ", where(), " is in namespace ", ns_.value_or("_"));
  }
  return parsed;
}

Library& Library::def(std::string_view schema, uint64_t tags) { return def(jit::parseSchema(schema), tags); }

Library& Library::def(c10::FunctionSchema&& schema, uint64_t tags) {
  TORCH_CHECK(kind_ != IMPL, schema.operator_name(), ": ", where(), " is a ", macro_name(kind_),
              ", which defines no operators");
  TORCH_CHECK(ns_ || !schema.operator_name().getNamespace().empty(), schema.operator_name(), ": ", where(),
              " is in namespace _, so names in it need a namespace");
  const std::string_view given = schema.operator_name().getNamespace();
  TORCH_CHECK(given.empty() || !ns_ || given == *ns_, schema.operator_name(), ": ", where(),
              " is in namespace ", ns_.value_or("_"));
  if (given.empty()) schema.set_namespace(*ns_);
  registrations_.push_back(c10::Dispatcher::singleton().registerDef(std::move(schema), where(), tags));
  return *this;
}

Library& Library::define_with_kernel(std::string_view name_or_schema, CppFunction&& f, uint64_t tags) {
  if (name_or_schema.find('(') != std::string_view::npos) {
    c10::FunctionSchema schema = jit::parseSchema(name_or_schema);
    const std::string name = toString(schema.operator_name());
    def(std::move(schema), tags);
    return add_kernel(name, std::move(f));
  }
  TORCH_CHECK(f.kernel_.signature, name_or_schema, ": ", where(),
              " defines it with a boxed kernel and no schema, which cannot be inferred");
  def(c10::inferred_schema(qualified(name_or_schema), *f.kernel_.signature), tags);
  return add_kernel(name_or_schema, std::move(f));
}

Library& Library::add_kernel(std::string_view name, CppFunction&& f) {
  TORCH_CHECK(!(f.key_ && key_) || *f.key_ == *key_, name, ": ", where(), " is for ",
              key_ ? toString(*key_) : "", ", but the kernel is for ", f.key_ ? toString(*f.key_) : "");
  const c10::DispatchKey key = f.key_ ? *f.key_ : key_.value_or(c10::DispatchKey::CompositeImplicitAutograd);
  registrations_.push_back(c10::Dispatcher::singleton().registerImpl(
      qualified(name), key, std::move(f.kernel_), f.where_.empty() ? where() : std::move(f.where_)));
  return *this;
}

Library& Library::add_fallback(CppFunction&& f) {
  TORCH_CHECK(kind_ == IMPL && !ns_, where(),
              ": a fallback serves all operators; register it in TORCH_LIBRARY_IMPL(_, ...)");
  const std::optional<c10::DispatchKey> key = f.key_ ? f.key_ : key_;
  TORCH_CHECK(key, where(), ": a fallback needs a dispatch key");
  std::string place = f.where_.empty() ? where() : std::move(f.where_);
  // An alias key's registration serves every runtime key that it stands for.
  if (!isAliasDispatchKey(*key)) {
    registrations_.push_back(
        c10::Dispatcher::singleton().registerFallback(*key, std::move(f.kernel_), std::move(place)));
    return *this;
  }
  TORCH_CHECK(f.kernel_.is_fallthrough, place, ": only a fallthrough can be the fallback of an alias key");
  for (c10::DispatchKey runtime : c10::getRuntimeDispatchKeySet(*key)) {
    registrations_.push_back(c10::Dispatcher::singleton().registerFallback(
        runtime, c10::KernelFunction::makeFallthrough(), place));
  }
  return *this;
}

}  // namespace torch::inline C10_ABI
