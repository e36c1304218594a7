// A tensor that a node saved in the forward call.
#pragma once

#include <c10/core/GradMode.h>
#include <torch/autograd/node.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace torch::inline C10_ABI::autograd {

/// The hooks of saved_tensors_hooks: pack when saving, unpack when the node needs the tensor.
struct TORCH_API SavedVariableHooks {
  virtual ~SavedVariableHooks();
  virtual void pack(const Tensor& t) = 0;
  virtual Tensor unpack() = 0;
};

/// Called for each tensor that the current thread saves: if it returns hooks, they keep the tensor instead.
/// Null: none. Returns the previous function.
using MakeSavedVariableHooks = std::unique_ptr<SavedVariableHooks> (*)();
TORCH_API MakeSavedVariableHooks set_saved_variable_hooks(MakeSavedVariableHooks make) noexcept;

/// Remembers the version of the tensor, too: unpacking a tensor that was modified since throws an error that
/// names the operator that saved it and the one that wrote to it.
class TORCH_API SavedVariable {
 public:
  SavedVariable() = default;
  /// `is_output`: the tensor is a result of the node that saves it. Then only its memory is kept, to avoid a
  /// reference cycle. `is_inplace_on_view`: and the operator wrote it into a view.
  SavedVariable(const Tensor& variable, bool is_output, bool is_inplace_on_view = false);
  SavedVariable(const std::optional<Tensor>& variable, bool is_output, bool is_inplace_on_view = false)
      : SavedVariable(variable.has_value() ? *variable : Tensor(), is_output, is_inplace_on_view) {}
  SavedVariable(SavedVariable&&) noexcept = default;
  SavedVariable& operator=(SavedVariable&&) noexcept = default;
  ~SavedVariable();

  /// The tensor; `saved_for` is the node that saved it. Throws c10::Error when it was modified in place
  /// since, or released. A result has no history where grad mode is off.
  Tensor unpack(Node* saved_for) const { return unpack(saved_for, c10::GradMode::is_enabled()); }
  /// The same, always with its history.
  Tensor unpack_with_history(Node* saved_for) const { return unpack(saved_for, true); }

  void reset_data();
  bool was_released() const { return released_; }

 private:
  Tensor unpack(Node* saved_for, bool with_history) const;
  void check_version(const Node* saved_for) const;

  Tensor data_;
  std::unique_ptr<SavedVariableHooks> hooks_;
  /// The history of a tensor that is kept by hooks_.
  Edge edge_;
  /// For a result that an in-place operator wrote into a view: its node is not the one that saves it.
  c10::weak_intrusive_ptr<Node> view_node_;
  uint32_t version_ = 0;
  uint32_t output_nr_ = 0;
  bool defined_ = false;
  bool is_original_ = false;
  bool requires_grad_ = false;
  bool released_ = false;
};

/// Throws the error for a node whose saved values were freed.
[[noreturn]] TORCH_API C10_COLD void throw_released(const Node& node);

}  // namespace torch::inline C10_ABI::autograd
