// A recursive descent parser of PyTorch's schema language, as run-time strings spell it.
#include <ATen/core/function_schema.h>
#include <c10/util/Exception.h>

#include <cctype>
#include <charconv>

namespace torch::inline C10_ABI {
namespace jit {

namespace {

using c10::AliasInfo;
using c10::Argument;
using c10::IValue;
using c10::Type;
using c10::TypeKind;

struct NamedType {
  std::string_view name;
  TypeKind kind;
};

constexpr NamedType named_types[] = {
#define C10_ROW(kind, name) {name, TypeKind::kind},
    C10_FORALL_NAMED_TYPES(C10_ROW)
#undef C10_ROW
    // Spellings that are read but never printed.
    {"number", TypeKind::Number},
    {"None", TypeKind::None},
};

// Enumerators that schemas may name as defaults.
struct NamedConstant {
  std::string_view name;
  int64_t value;
};
constexpr NamedConstant named_constants[] = {
    {"Mean", 1},
    {"Sum", 2},
    {"contiguous_format", 0},
    {"preserve_format", 1},
    {"channels_last", 2},
    {"channels_last_3d", 3},
    {"strided", 0},
    {"int", 3},
    {"long", 4},
    {"float", 6},
    {"double", 7},
    {"bool", 11},
    {"uint8", 0},
    {"int8", 1},
    {"int16", 2},
    {"int32", 3},
    {"int64", 4},
    {"float16", 5},
    {"float32", 6},
    {"float64", 7},
    {"complex32", 8},
    {"complex64", 9},
    {"complex128", 10},
    {"bfloat16", 15},
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  c10::FunctionSchema schema() {
    c10::OperatorName name = operator_name();
    bool is_vararg = false;
    bool is_varret = false;
    std::vector<Argument> arguments = argument_list(&is_vararg, true);
    expect("->");
    std::vector<Argument> returns;
    if (take("...")) {
      is_varret = true;
    } else if (at_bracketed_results()) {
      returns = argument_list(&is_varret, false);
    } else {
      returns.push_back(result());
    }
    end();
    return c10::FunctionSchema(std::move(name), std::move(arguments), std::move(returns), is_vararg,
                               is_varret);
  }

  c10::OperatorName operator_name() {
    std::string name(identifier("an operator's name"));
    if (take_here("::")) name += "::" + std::string(identifier("an operator's name"));
    std::string overload;
    if (take_here(".")) overload = identifier("an overload's name");
    return {std::move(name), std::move(overload)};
  }

  Type type() {
    if (++depth_ > max_depth) fail("fewer types within types");
    Type t = suffixed_type();
    --depth_;
    return t;
  }

  void end() {
    skip_space();
    if (at_ != text_.size()) fail("the end");
  }

 private:
  Type suffixed_type() {
    Type t = base_type();
    alias_annotation(t);
    for (;;) {
      if (take_here("?")) {
        t = Type::optional_of(std::move(t));
      } else if (take_here("[")) {
        int64_t size = -1;
        if (!take("]")) {
          size = integer();
          if (size < 0) fail("a list's size");
          expect("]");
        }
        t = Type::list_of(std::move(t), size);
      } else {
        return t;
      }
      alias_annotation(t);
    }
  }

  [[noreturn]] void fail(std::string_view expected) {
    TORCH_CHECK(false, "schema: expected ", expected, " at column ", at_ + 1, ":\n  ", text_, "\n  ",
                std::string(at_, ' '), "^");
    __builtin_unreachable();
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take_here(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  bool take(std::string_view token) {
    skip_space();
    return take_here(token);
  }
  void expect(std::string_view token) {
    if (!take(token)) fail("'" + std::string(token) + "'");
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  // The next word; empty if there is none.
  std::string_view peek_word() {
    skip_space();
    size_t n = at_;
    while (n < text_.size() && is_word(text_[n])) ++n;
    return text_.substr(at_, n - at_);
  }
  std::string_view identifier(std::string_view what) {
    const std::string_view word = peek_word();
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0]))) {
      // Overload names may begin with a digit, nothing else may.
      if (word.empty() || what != "an overload's name") fail(what);
    }
    at_ += word.size();
    return word;
  }

  int64_t integer() {
    skip_space();
    int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number");
    at_ += static_cast<size_t>(stop - begin);
    return value;
  }

  Type base_type() {
    if (take("(")) {
      Type t = Type::of(TypeKind::Tuple);
      t.elements = type_list();
      return t;
    }
    const size_t begin = at_;
    const std::string_view word = identifier("a type");
    if (word == "Dict" || word == "Future" || word == "RRef" || word == "Await") {
      Type t = Type::of(TypeKind::Generic);
      t.name = word;
      expect("(");
      t.elements = type_list();
      return t;
    }
    for (const NamedType& named : named_types) {
      if (named.name == word) return Type::of(named.kind);
    }
    if (text_.substr(at_, 1) == ".") {
      while (take_here(".")) identifier("a class's name");
      Type t = Type::of(TypeKind::Class);
      t.name = text_.substr(begin, at_ - begin);
      return t;
    }
    if (word[0] == 't') {
      Type t = Type::of(TypeKind::Var);
      t.name = word;
      return t;
    }
    at_ = begin;
    fail("a type, not '" + std::string(word) + "',");
  }

  // Called after the opening bracket.
  std::vector<Type> type_list() {
    std::vector<Type> types;
    if (take(")")) return types;
    do {
      types.push_back(type());
    } while (take(","));
    expect(")");
    return types;
  }

  std::vector<std::string> alias_set() {
    std::vector<std::string> set;
    do {
      if (take("*")) {
        set.emplace_back("*");
      } else {
        set.emplace_back(identifier("an alias set"));
      }
    } while (take("|"));
    return set;
  }

  void alias_annotation(Type& t) {
    if (!take_here("(")) return;
    t.has_alias = true;
    skip_space();
    if (text_.substr(at_, 1) != "!") t.alias.before = alias_set();
    t.alias.is_write = take("!");
    t.alias.has_arrow = take("->");
    t.alias.after = t.alias.has_arrow ? alias_set() : t.alias.before;
    expect(")");
  }

  // "(" begins several results, a tuple "(int, t)[]" or a lone bracketed one; all but the tuple have their
  // ")" at the end.
  bool at_bracketed_results() {
    skip_space();
    if (text_.substr(at_, 1) != "(") return false;
    size_t depth = 0;
    size_t i = at_;
    for (; i < text_.size(); ++i) {
      depth += text_[i] == '(';
      depth -= text_[i] == ')';
      if (depth == 0) break;
    }
    for (++i; i < text_.size(); ++i) {
      if (!std::isspace(static_cast<unsigned char>(text_[i]))) return false;
    }
    return true;
  }

  Argument result() {
    Type t = type();
    const std::string name(peek_word());
    at_ += name.size();
    return Argument(name, std::move(t));
  }

  std::vector<Argument> argument_list(bool* open_ended, bool with_defaults) {
    std::vector<Argument> items;
    expect("(");
    if (take(")")) return items;
    bool kwarg_only = false;
    do {
      if (take("...")) {
        *open_ended = true;
        break;
      }
      if (with_defaults && take("*")) {
        kwarg_only = true;
        continue;
      }
      items.push_back(with_defaults ? argument(kwarg_only) : result());
    } while (take(","));
    expect(")");
    return items;
  }

  Argument argument(bool kwarg_only) {
    Type t = type();
    std::string name(identifier("an argument's name"));
    std::optional<IValue> value;
    if (take("=")) value = default_value(t);
    return Argument(std::move(name), std::move(t), std::move(value), kwarg_only);
  }

  IValue default_value(const Type& t) {
    if (peek_word() == "None") {
      at_ += 4;
      return IValue();
    }
    switch (t.kind) {
      case TypeKind::Optional:
        // PyTorch keeps the integer of `float? x=1`.
        if (t.element().kind == TypeKind::Float) return number_value(TypeKind::Number);
        return default_value(t.element());
      case TypeKind::List:
        return list_value(t);
      case TypeKind::String:
      case TypeKind::Device:
        return string_value();
      case TypeKind::Bool:
        return bool_value();
      default:
        return number_value(t.kind);
    }
  }

  IValue list_value(const Type& t) {
    std::vector<IValue> values;
    skip_space();
    if (text_.substr(at_, 1) == "[") {
      ++at_;
      if (take("]")) return IValue(values);
      do {
        values.push_back(default_value(t.element()));
      } while (take(","));
      expect("]");
    } else {
      // One value for all elements of a list with a size.
      if (t.size < 0) fail("a list");
      values.assign(static_cast<size_t>(t.size), default_value(t.element()));
    }
    return IValue(values);
  }

  IValue bool_value() {
    if (take("True") || take("true")) return IValue(true);
    if (take("False") || take("false")) return IValue(false);
    fail("True or False");
  }

  IValue string_value() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') fail("a string");
    ++at_;
    std::string out;
    for (;; ++at_) {
      if (at_ >= text_.size()) fail("the string's end");
      if (text_[at_] == quote) break;
      out += text_[at_] == '\\' ? escaped() : text_[at_];
    }
    ++at_;
    return IValue(std::move(out));
  }

  // Called at a backslash; leaves at_ on the escape's last character.
  char escaped() {
    static constexpr std::string_view letters = "\\'\"abfnrtv";
    static constexpr std::string_view meanings = "\\'\"\a\b\f\n\r\t\v";
    if (++at_ >= text_.size()) fail("the string's end");
    const size_t i = letters.find(text_[at_]);
    if (i != std::string_view::npos) return meanings[i];
    unsigned value = 0;
    size_t digits = 0;
    while (digits < 3 && at_ + digits < text_.size() && text_[at_ + digits] >= '0' &&
           text_[at_ + digits] <= '7') {
      value = value * 8 + static_cast<unsigned>(text_[at_ + digits++] - '0');
    }
    if (digits == 0) fail("an escape");
    at_ += digits - 1;
    return static_cast<char>(value);
  }

  IValue number_value(TypeKind kind) {
    const std::string_view word = peek_word();
    if (kind == TypeKind::Number && (word == "True" || word == "False")) return bool_value();
    for (const NamedConstant& constant : named_constants) {
      if (word == constant.name) {
        at_ += word.size();
        return IValue(constant.value);
      }
    }
    skip_space();
    size_t end = at_ + (text_.substr(at_, 1) == "-");
    bool is_float = text_.substr(end, 3) == "inf" || text_.substr(end, 3) == "nan";
    if (is_float) end += 3;
    while (end < text_.size() && (is_number_part(end))) {
      is_float |= !std::isdigit(static_cast<unsigned char>(text_[end++]));
    }
    if (!is_float && kind != TypeKind::Float && kind != TypeKind::Complex) return IValue(integer());
    double value = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + end, value);
    if (error != std::errc() || stop != text_.data() + end) fail("a number");
    at_ = end;
    if (take_here("j")) return IValue(c10::complex<double>(0, value));
    if (kind == TypeKind::Complex) return IValue(c10::complex<double>(value, 0));
    if (kind == TypeKind::Int || kind == TypeKind::SymInt) fail("an integer before this");
    return IValue(value);
  }

  bool is_number_part(size_t i) const {
    const char c = text_[i];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == 'e' || c == 'E') return true;
    return (c == '-' || c == '+') && (text_[i - 1] == 'e' || text_[i - 1] == 'E');
  }

  static constexpr int max_depth = 64;
  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

c10::FunctionSchema parseSchema(std::string_view schema) { return Parser(schema).schema(); }

c10::OperatorName parseName(std::string_view name) {
  Parser parser(name);
  c10::OperatorName parsed = parser.operator_name();
  parser.end();
  return parsed;
}

c10::Type parseType(std::string_view type) {
  Parser parser(type);
  c10::Type parsed = parser.type();
  parser.end();
  return parsed;
}

}  // namespace jit
}  // namespace torch::inline C10_ABI
