// Operations of one's own: a struct with forward() and backward(), which apply() runs and records.
//
//   struct Cube : torch::autograd::Function<Cube> {
//     static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) {
//       ctx->save_for_backward({x});
//       return x * x * x;
//     }
//     static variable_list backward(AutogradContext* ctx, variable_list grads) {
//       const at::Tensor x = ctx->get_saved_variables()[0];
//       return {grads[0] * 3 * x * x};
//     }
//   };
//   at::Tensor y = Cube::apply(x);
#pragma once

#include <torch/autograd/record.h>

#include <any>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch::inline C10_ABI::autograd {

class FunctionNode;

/// What forward() leaves for backward().
class TORCH_API AutogradContext {
 public:
  /// Only arguments and results of forward(); other tensors can be kept in saved_data.
  void save_for_backward(variable_list variables) { to_save_ = std::move(variables); }
  /// What was saved. Throws when the graph was freed, or a tensor was changed in place since.
  variable_list get_saved_variables() const;
  /// Marks results without a gradient.
  void mark_non_differentiable(const variable_list& results) { non_differentiable_ = results; }
  /// Marks arguments that forward() writes to; it must return them.
  void mark_dirty(const variable_list& arguments) { dirty_ = arguments; }
  /// Whether backward() gets zeros for undefined gradients: true by default.
  void set_materialize_grads(bool value) { materialize_grads_ = value; }
  bool materializes_grads() const { return materialize_grads_; }
  /// Whether the gradient of a tensor argument is needed.
  bool needs_input_grad(size_t index) const;

  /// Anything else; never results of forward(), which would keep the graph alive for ever.
  std::unordered_map<std::string, std::any> saved_data;

 private:
  friend class FunctionNode;
  variable_list to_save_, non_differentiable_, dirty_;
  std::vector<SavedVariable> saved_;
  bool materialize_grads_ = true;
  FunctionNode* node_ = nullptr;
};

/// The node of a Function; what doesn't depend on its type.
class TORCH_API FunctionNode : public Node {
 public:
  explicit FunctionNode(const char* name) : name_(name) { context_.node_ = this; }
  variable_list apply(variable_list&& grads) override;
  void release_variables() override;
  const char* name() const override { return name_; }

 protected:
  friend class AutogradContext;
  virtual variable_list run_backward(variable_list grads) = 0;

  /// Processes the results of forward(), with the marks set in the context.
  variable_list record(const variable_list& inputs, variable_list&& results, bool requires_grad);

  AutogradContext context_;
  /// For each argument of apply(), whether it is a tensor.
  std::vector<bool> is_tensor_;

 private:
  const char* name_;
};

namespace detail {

inline void add_tensor(variable_list& tensors, std::vector<bool>& is_tensor, const Tensor& t) {
  tensors.push_back(t);
  is_tensor.push_back(true);
}
inline void add_tensor(variable_list& tensors, std::vector<bool>& is_tensor, const std::optional<Tensor>& t) {
  add_tensor(tensors, is_tensor, t.value_or(Tensor()));
}
template <class T>
  requires(!std::is_base_of_v<at::TensorBase, T>)
inline void add_tensor(variable_list&, std::vector<bool>& is_tensor, const T&) {
  is_tensor.push_back(false);
}

template <class F>
class TypedFunctionNode final : public FunctionNode {
 public:
  using FunctionNode::FunctionNode;

  template <class... Args>
  static auto run(const char* name, Args&&... args) {
    auto node = c10::make_intrusive<TypedFunctionNode>(name);
    variable_list inputs;
    (add_tensor(inputs, node->is_tensor_, args), ...);
    bool requires_grad = false;
    for (const Tensor& t : inputs) requires_grad |= t.defined() && compute_requires_grad(t);
    for (const Tensor& t : inputs) collect_next_edges(*node, t);
    using Result = decltype(F::forward(&node->context_, std::forward<Args>(args)...));
    const auto forward = [&] {
      const c10::AutoGradMode off(false);
      return F::forward(&node->context_, std::forward<Args>(args)...);
    };
    if constexpr (std::is_same_v<Result, Tensor>) {
      return Tensor(node->record(inputs, {forward()}, requires_grad)[0]);
    } else {
      return node->record(inputs, forward(), requires_grad);
    }
  }

 private:
  variable_list run_backward(variable_list grads) override {
    return F::backward(&context_, std::move(grads));
  }
};

}  // namespace detail

/// forward() returns a Tensor or a variable_list, and runs unrecorded; backward() returns a gradient for each
/// argument after ctx, undefined for those that are no tensors.
template <class Self>
struct Function {
  template <class... Args>
  static auto apply(Args&&... args) {
    return detail::TypedFunctionNode<Self>::run("Function", std::forward<Args>(args)...);
  }
};

}  // namespace torch::inline C10_ABI::autograd
