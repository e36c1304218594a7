// einsum: operands get a dimension for every label, then are contracted two at a time.
#include <ATen/native/matmul/sum_of_products.h>

#include <ATen/ops/diagonal.h>
#include <ATen/ops/einsum_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace at::native {

namespace {

constexpr int labels_count = 52, ellipsis = 52;  // A-Z, a-z

using Labels = std::vector<int>;

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int label_of(char c) { return c >= 'a' ? c - 'a' + 26 : c - 'A'; }
char letter_of(int label) { return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26); }

// The labels of one term: letters, spaces, at most one ellipsis.
Labels parse_term(std::string_view term, const char* where) {
  Labels labels;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term[i] == ' ') continue;
    if (term[i] == '.') {
      TORCH_CHECK(term.substr(i, 3) == "...", "einsum(): found '.' that is not part of any ellipsis in ",
                  where);
      TORCH_CHECK(std::find(labels.begin(), labels.end(), ellipsis) == labels.end(),
                  "einsum(): found '.' for which an ellipsis was already found in ", where);
      labels.push_back(ellipsis);
      i += 2;
      continue;
    }
    TORCH_CHECK(is_letter(term[i]), "einsum(): invalid subscript given at index ", i, " of ", where, " ('",
                term, "'), subscripts must be in [a-zA-Z]");
    labels.push_back(label_of(term[i]));
  }
  return labels;
}

std::vector<Labels> parse_operands(std::string_view terms) {
  std::vector<Labels> operands;
  while (true) {
    const size_t comma = terms.find(',');
    operands.push_back(parse_term(terms.substr(0, comma), "an operand"));
    if (comma == std::string_view::npos) return operands;
    terms.remove_prefix(comma + 1);
  }
}

// An equation and its operands.
struct Equation {
  std::vector<Labels> inputs;
  Labels output;
  std::array<int64_t, labels_count> counts{};
  int64_t ellipsis_dims = 0;

  // The dimension of each label: those of the output first, then those that are summed.
  std::array<int64_t, labels_count> places{};
  int64_t ellipsis_place = 0, output_dims = 0, dims = 0;

  void count(TensorList tensors);
  void imply_output();
  void place();
};

void Equation::count(TensorList tensors) {
  TORCH_CHECK(inputs.size() == tensors.size(),
              inputs.size() < tensors.size()
                  ? "einsum(): more operands were provided than specified in the equation"
                  : "einsum(): fewer operands were provided than specified in the equation");
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool open = std::find(inputs[i].begin(), inputs[i].end(), ellipsis) != inputs[i].end();
    const int64_t named = static_cast<int64_t>(inputs[i].size()) - (open ? 1 : 0), dim = tensors[i].dim();
    TORCH_CHECK(
        open ? named <= dim : named == dim, "einsum(): the number of subscripts in the equation (", named,
        open ? ") is more than the number of dimensions (" : ") does not match the number of dimensions (",
        dim, ") for operand ", i, open ? " with an ellipsis" : " and no ellipsis was given");
    if (open) ellipsis_dims = std::max(ellipsis_dims, dim - named);
    for (int label : inputs[i]) {
      if (label != ellipsis) ++counts[label];
    }
  }
}

// Without an arrow: what the ellipsis covers, then the labels that occur once.
void Equation::imply_output() {
  if (ellipsis_dims > 0) output.push_back(ellipsis);
  for (int label = 0; label < labels_count; ++label) {
    if (counts[label] == 1) output.push_back(label);
  }
}

void Equation::place() {
  places.fill(-1);
  bool open = false;
  for (int label : output) {
    if (label == ellipsis) {
      ellipsis_place = dims;
      dims += ellipsis_dims;
      open = true;
      continue;
    }
    TORCH_CHECK(places[label] < 0, "einsum(): output subscript ", letter_of(label),
                " appears more than once in the output");
    TORCH_CHECK(counts[label] > 0, "einsum(): output subscript ", letter_of(label),
                " does not appear in the equation for any input operand");
    places[label] = dims++;
  }
  output_dims = dims;
  if (!open) {  // dimensions of the ellipsis that the output lacks are summed
    ellipsis_place = dims;
    dims += ellipsis_dims;
  }
  for (int label = 0; label < labels_count; ++label) {
    if (counts[label] > 0 && places[label] < 0) places[label] = dims++;
  }
}

Equation parse(std::string_view text, TensorList tensors) {
  const size_t arrow = text.find("->");
  Equation equation;
  equation.inputs = parse_operands(text.substr(0, arrow));
  equation.count(tensors);
  if (arrow == std::string_view::npos) {
    equation.imply_output();
  } else {
    equation.output = parse_term(text.substr(arrow + 2), "the output");
  }
  equation.place();
  return equation;
}

// The operand with a dimension for every label, of size 1 where it has none; a repeated label becomes a
// diagonal.
Tensor aligned(Tensor t, const Labels& labels, const Equation& equation) {
  const int64_t covered =
      t.dim() - static_cast<int64_t>(labels.size()) + 1;  // by the ellipsis, if there is one
  DimVector order(equation.dims, -1);
  int64_t dim = 0;
  for (int label : labels) {
    if (label == ellipsis) {
      const int64_t first = equation.ellipsis_place + equation.ellipsis_dims - covered;
      for (int64_t d = 0; d < covered; ++d) order[first + d] = dim++;
      continue;
    }
    int64_t& place = order[equation.places[label]];
    if (place < 0) {
      place = dim++;
      continue;
    }
    TORCH_CHECK(t.size(dim) == t.size(place), "einsum(): subscript ", letter_of(label),
                " is repeated for an operand but the sizes don't match, ", t.size(dim),
                " != ", t.size(place));
    t = t.diagonal(0, place, dim);
    for (int64_t& other : order) {
      if (other > place) --other;
    }
    place = t.dim() - 1;
    --dim;
  }
  for (int64_t& place : order) {
    if (place >= 0) continue;
    t = t.unsqueeze(-1);
    place = t.dim() - 1;
  }
  return t.permute(order);
}

void check_sizes(const std::vector<Tensor>& operands, int64_t dims) {
  for (int64_t d = 0; d < dims; ++d) {
    int64_t size = 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      const int64_t own = operands[i].size(d);
      TORCH_CHECK(own == 1 || size == 1 || own == size,
                  "einsum(): operands do not broadcast with remapped shapes ",
                  "[original->remapped]: operand ", i, " has size ", own, " where an earlier one has ", size);
      if (own != 1) size = own;
    }
  }
}

void check_path(OptionalIntArrayRef path, size_t operands) {
  if (!path) return;
  TORCH_CHECK(path->size() == 2 * (operands - 1),
              "einsum(): expected contraction path given in path parameter to ", "have size ",
              2 * (operands - 1), " but got ", path->size());
}

// The two operands of a step, removed from the list.
std::pair<Tensor, Tensor> take_pair(std::vector<Tensor>& operands, OptionalIntArrayRef path, size_t step) {
  int64_t first = 0, second = 1;
  if (path) {
    const int64_t a = (*path)[2 * step], b = (*path)[2 * step + 1];
    first = std::min(a, b);
    second = std::max(a, b);
    TORCH_CHECK(first >= 0 && first != second && second < static_cast<int64_t>(operands.size()),
                "einsum(): invalid contraction path (", a, ", ", b, ") with ", operands.size(),
                " operands left");
  }
  std::pair<Tensor, Tensor> pair{operands[first], operands[second]};
  operands.erase(operands.begin() + second);
  operands.erase(operands.begin() + first);
  return pair;
}

// Dimensions that neither the output nor a remaining operand has.
DimVector finished_dims(const std::vector<Tensor>& others, int64_t output_dims, int64_t dims) {
  DimVector finished;
  for (int64_t d = output_dims; d < dims; ++d) {
    const bool wanted =
        std::any_of(others.begin(), others.end(), [&](const Tensor& t) { return t.size(d) != 1; });
    if (!wanted) finished.push_back(d);
  }
  return finished;
}

// One contraction. Dimensions of only one operand are summed first, and where that is all, integers become
// int64 as in every sum.
Tensor contracted(const Tensor& left, const Tensor& right, const DimVector& dims) {
  DimVector of_left, of_right;
  for (int64_t d : dims) {
    const bool in_left = left.size(d) != 1, in_right = right.size(d) != 1;
    if (in_left && in_right) return sum_of_products(left, right, dims);
    if (in_left) of_left.push_back(d);
    if (in_right) of_right.push_back(d);
  }
  const auto summed = [](const Tensor& t, const DimVector& own) {
    return own.empty() ? t : t.sum(own, /*keepdim=*/true);
  };
  return at::mul(summed(left, of_left), summed(right, of_right));
}

}  // namespace

Tensor einsum(std::string_view equation_text, TensorList tensors, OptionalIntArrayRef path) {
  TORCH_CHECK(!tensors.empty(), "einsum(): must provide at least one operand");
  check_path(path, tensors.size());
  const Equation equation = parse(equation_text, tensors);
  std::vector<Tensor> operands;
  for (size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(aligned(tensors[i], equation.inputs[i], equation));
  }
  check_sizes(operands, equation.dims);
  for (size_t step = 0; operands.size() > 1; ++step) {
    const auto [left, right] = take_pair(operands, path, step);
    const Tensor product =
        contracted(left, right, finished_dims(operands, equation.output_dims, equation.dims));
    operands.insert(path ? operands.end() : operands.begin(), product);
  }
  Tensor result = operands.front();
  DimVector summed;
  for (int64_t d = equation.output_dims; d < equation.dims; ++d) summed.push_back(d);
  if (summed.empty()) return result;
  if (tensors.size() == 1) return result.sum(summed);
  return result.reshape(result.sizes().slice(0, equation.output_dims));
}

}  // namespace at::native
