// The backward engine's entry points: arguments are checked and passed to a GraphTask.
#include <torch/autograd/engine.h>

#include <ATen/ExpandUtils.h>
#include <ATen/batching/BatchedTensorImpl.h>
#include <torch/autograd/autograd_meta.h>
#include <torch/autograd/graph_task.h>

#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>

namespace torch::inline C10_ABI::autograd {

FinalCallback::~FinalCallback() = default;

bool is_running_backward() noexcept { return GraphTask::current() != nullptr; }

void queue_callback(std::unique_ptr<FinalCallback> callback) {
  GraphTask* task = GraphTask::current();
  TORCH_CHECK(task != nullptr, "Final callbacks can only be installed during backward pass.");
  task->add_final_callback(std::move(callback));
}

// -------------------- checking gradients

namespace {

bool expands_to(at::IntArrayRef sizes, at::IntArrayRef expanded) {
  if (sizes.size() > expanded.size()) return false;
  for (size_t i = 1; i <= sizes.size(); ++i) {
    const int64_t size = sizes[sizes.size() - i];
    if (size != 1 && size != expanded[expanded.size() - i]) return false;
  }
  return true;
}

std::string invalid(const Node* from, size_t output_nr) {
  return c10::str(from == nullptr ? "" : c10::str("Function ", from->name(), " returned an "),
                  "invalid gradient at index ", output_nr);
}

}  // namespace

Tensor validated(Tensor&& grad, const InputMetadata& expected, const Node* from, size_t output_nr) {
  if (C10_UNLIKELY(!expected.defined)) return std::move(grad);
  if (C10_UNLIKELY(grad.sizes() != at::IntArrayRef(expected.sizes))) {
    TORCH_CHECK(expands_to(expected.sizes, grad.sizes()), invalid(from, output_nr), " - got ", grad.sizes(),
                " but expected shape compatible with ", expected.sizes);
    grad = at::sum_to(std::move(grad), expected.sizes);
  }
  if (C10_UNLIKELY(grad.scalar_type() != expected.dtype)) {
    TORCH_CHECK(c10::isFloatingType(grad.scalar_type()) || c10::isComplexType(grad.scalar_type()),
                invalid(from, output_nr), " - expected dtype ", expected.dtype, " but got ",
                grad.scalar_type());
    TORCH_CHECK(c10::isComplexType(expected.dtype) || !grad.is_complex(), invalid(from, output_nr),
                " - expected a real one of dtype ", expected.dtype, " but got ", grad.scalar_type());
    grad = grad.to(expected.dtype);
  }
  if (C10_UNLIKELY(grad.device() != expected.device)) {
    TORCH_CHECK(grad.dim() == 0, invalid(from, output_nr), " - expected device ", expected.device,
                " but got ", grad.device());
    grad = grad.to(expected.device);
  }
  return std::move(grad);
}

// -------------------- entry points

namespace {

edge_list roots_of(at::TensorList tensors) {
  edge_list roots;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    Edge edge = t.defined() ? gradient_edge(t) : Edge();
    TORCH_CHECK(edge.is_valid(), "element ", i,
                " of tensors does not require grad and does not have a grad_fn");
    roots.push_back(std::move(edge));
  }
  return roots;
}

// " of aten::mul.Tensor": for messages; empty for a leaf.
std::string maker_of(const Tensor& t) {
  const c10::intrusive_ptr<Node> node = grad_fn_of(t);
  if (!node) return "";
  return c10::str(" of ", node->operator_name() != nullptr ? node->operator_name() : node->name());
}

Tensor gradient_of_root(const Tensor& root, const Tensor& given, size_t i) {
  if (given.defined()) {
    TORCH_CHECK(given.sizes() == root.sizes(), "Mismatch in shape: grad_output[", i, "] has a shape of ",
                given.sizes(), " and output[", i, "]", maker_of(root), " has a shape of ", root.sizes(), ".");
    TORCH_CHECK(
        given.is_complex() == root.is_complex(),
        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
        "dtype: grad_output[",
        i, "] has a dtype of ", given.scalar_type(), " and output[", i, "] has a dtype of ",
        root.scalar_type(), ".");
    TORCH_CHECK(given.device() == root.device(), "Mismatch in device: grad_output[", i, "] is on ",
                given.device(), " and output[", i, "]", maker_of(root), " on ", root.device(), ".");
    return given.scalar_type() == root.scalar_type() ? given : given.to(root.scalar_type());
  }
  TORCH_CHECK(root.numel() == 1, "grad can be implicitly created only for scalar outputs, but output[", i,
              "]", maker_of(root), " has a shape of ", root.sizes(), ": pass its gradient");
  TORCH_CHECK(root.is_floating_point(),
              "grad can be implicitly created only for real scalar outputs but got ", root.scalar_type());
  return at::ones_like(root, at::TensorOptions(), c10::MemoryFormat::Preserve);
}

variable_list gradients_of_roots(at::TensorList roots, at::TensorList given) {
  TORCH_CHECK(given.empty() || given.size() == roots.size(), "got ", roots.size(), " tensors and ",
              given.size(), " gradients");
  variable_list gradients;
  for (size_t i = 0; i < roots.size(); ++i) {
    gradients.push_back(gradient_of_root(roots[i], given.empty() ? Tensor() : given[i], i));
  }
  return gradients;
}

}  // namespace

variable_list run_backward(const edge_list& roots, variable_list&& gradients, bool retain_graph,
                           bool create_graph, const edge_list& captures, bool accumulate) {
  GraphTask task(retain_graph, create_graph, accumulate);
  return task.run(roots, std::move(gradients), captures);
}

void backward(at::TensorList tensors, at::TensorList gradients, BackwardOptions options,
              at::TensorList inputs) {
  TORCH_CHECK(
      at::current_batch_level() == nullptr,
      "backward() can't be called inside of vmap: what it adds to .grad would be the gradients of all "
      "examples. Use func.grad or func.vjp, or call backward() outside of vmap.");
  const edge_list roots = roots_of(tensors);
  variable_list of_roots =
      gradients_of_roots(tensors, gradients);  // before anything is changed: it may throw
  edge_list captures;
  for (size_t i = 0; i < inputs.size(); ++i) {
    TORCH_CHECK(inputs[i].requires_grad(),
                "One of the differentiated Tensors given as 'inputs' to backward "
                "does not require grad: number ",
                i);
    retain_grad(inputs[i]);
    captures.push_back(gradient_edge(inputs[i]));
  }
  run_backward(roots, std::move(of_roots), options.retain_graph.value_or(options.create_graph),
               options.create_graph, captures, /*accumulate=*/true);
}

variable_list grad(at::TensorList outputs, at::TensorList inputs, at::TensorList grad_outputs,
                   GradOptions options) {
  TORCH_CHECK(!inputs.empty(), "`inputs` argument to `grad()` cannot be empty.");
  const edge_list roots = roots_of(outputs);
  edge_list captures;
  for (size_t i = 0; i < inputs.size(); ++i) {
    TORCH_CHECK(inputs[i].defined() && inputs[i].requires_grad(),
                "One of the differentiated Tensors does not require grad: number ", i);
    captures.push_back(gradient_edge(inputs[i]));
  }
  variable_list found =
      run_backward(roots, gradients_of_roots(outputs, grad_outputs),
                   options.retain_graph.value_or(options.create_graph), options.create_graph, captures,
                   /*accumulate=*/false);
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].defined()) continue;
    TORCH_CHECK(options.allow_unused || options.materialize_grads, "The differentiated Tensor at index ", i,
                " appears to not have been used in the graph. Set allow_unused=True if this is the desired "
                "behavior.");
    if (options.materialize_grads) found[i] = at::zeros_like(inputs[i]);
  }
  return found;
}

}  // namespace torch::inline C10_ABI::autograd

// -------------------- methods of at::Tensor

namespace at::inline C10_ABI {

const Tensor& Tensor::requires_grad_(bool requires_grad) const {
  torch::autograd::set_requires_grad(*this, requires_grad);
  return *this;
}

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph,
                      std::optional<TensorList> inputs) const {
  torch::autograd::backward({*this}, {gradient}, {retain_graph, create_graph}, inputs.value_or(TensorList()));
}

bool Tensor::is_leaf() const { return torch::autograd::is_leaf(*this); }
void Tensor::retain_grad() const { torch::autograd::retain_grad(*this); }
bool Tensor::retains_grad() const { return torch::autograd::retains_grad(*this); }

}  // namespace at::inline C10_ABI
