// Autograd's functions on tensors.
#include <torch/autograd/autograd_meta.h>

#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/autograd/accumulate_grad.h>
#include <torch/autograd/views.h>

#include <algorithm>

namespace torch::inline C10_ABI::autograd {

namespace {

c10::AutogradMetaInterface* make_meta() { return new AutogradMeta(); }
constexpr c10::impl::AutogradMetaFactory meta_factory{&make_meta};
// From loading the library on, tensors can require grad.
[[maybe_unused]] const bool registered = (c10::impl::set_autograd_meta_factory(&meta_factory), true);

}  // namespace

AutogradMeta::~AutogradMeta() { release_node(std::move(grad_fn)); }

void AutogradMeta::set_requires_grad(bool requires_grad, c10::TensorImpl* self) {
  const c10::ScalarType dtype = self->scalar_type();
  TORCH_CHECK(!requires_grad || c10::isFloatingType(dtype) || c10::isComplexType(dtype),
              "only Tensors of floating point and complex dtype can require gradients, got ", dtype);
  requires_grad_ = requires_grad;
}

AutogradMeta& materialize_meta(const at::TensorBase& t) {
  TORCH_CHECK(t.defined(), "an undefined tensor has no autograd data");
  if (AutogradMeta* meta = meta_of(t)) return *meta;
  auto* meta = new AutogradMeta();
  t.unsafeGetTensorImpl()->set_autograd_meta(meta);
  return *meta;
}

// -------------------- history

c10::intrusive_ptr<Node> grad_fn_of(const at::TensorBase& t) {
  c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  const AutogradMeta* meta = meta_of(t);
  if (C10_UNLIKELY(impl->is_view()) && t.requires_grad()) return grad_fn_of_view(t);
  return meta != nullptr ? meta->grad_fn : c10::intrusive_ptr<Node>();
}

bool is_leaf(const at::TensorBase& t) {
  return t.unsafeGetTensorImpl()->tracking_bits() == 0 || !grad_fn_of(t);
}

uint32_t output_nr_of(const at::TensorBase& t) {
  const AutogradMeta* meta = meta_of(t);
  return meta != nullptr ? meta->output_nr : 0;
}

Edge gradient_edge(const at::TensorBase& t) {
  if (t.unsafeGetTensorImpl()->tracking_bits() == 0) return {};
  if (c10::intrusive_ptr<Node> node = grad_fn_of(t)) return {std::move(node), meta_of(t)->output_nr};
  return {grad_accumulator_of(t), 0};
}

void set_gradient_edge(const at::TensorBase& t, Edge edge) {
  c10::TensorImpl* impl = t.unsafeGetTensorImpl();
  if (AutogradMeta* meta = meta_of(t)) {
    c10::intrusive_ptr<Node> old = std::exchange(meta->grad_fn, std::move(edge.function));
    meta->output_nr = edge.input_nr;
    release_node(std::move(old));
  } else {
    impl->set_autograd_meta(new AutogradMeta(std::move(edge.function), edge.input_nr));
  }
  if (C10_UNLIKELY(impl->is_view())) impl->set_view_version(impl->current_version());
}

c10::intrusive_ptr<Node> grad_accumulator_of(const at::TensorBase& t, bool create) {
  // A view that was made without recording requires grad only if its base does: it is no leaf.
  if (meta_of(t) == nullptr || !meta_of(t)->requires_grad()) return {};
  AutogradMeta& meta = *meta_of(t);
  TORCH_CHECK(!meta.grad_fn, "only leaves accumulate gradients; this tensor is a result of ",
              meta.grad_fn ? meta.grad_fn->name() : "");
  const NodeGuard guard(meta.mutex);
  c10::intrusive_ptr<Node> node = meta.grad_accumulator.lock();
  if (!node && create) {
    node = c10::make_intrusive<AccumulateGrad>(Tensor(t));
    meta.grad_accumulator = c10::weak_intrusive_ptr<Node>(node);
  }
  return node;
}

// -------------------- what users set

void set_requires_grad(const at::TensorBase& t, bool requires_grad) {
  TORCH_CHECK(
      requires_grad || !t.requires_grad() || is_leaf(t),
      "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
      "in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  if (requires_grad && t.requires_grad() && !is_leaf(t)) return;
  t.set_requires_grad(requires_grad);
}

void detach_in_place(const at::TensorBase& t) {
  TORCH_CHECK(!t.is_view(), "Can't detach views in-place. Use detach() instead");
  AutogradMeta* meta = meta_of(t);
  if (meta == nullptr) return;
  meta->set_requires_grad(false, t.unsafeGetTensorImpl());
  set_gradient_edge(t, {});
}

namespace {

template <class Hook>
void add(std::vector<Hook>& hooks, Hook hook) {
  const HookListsGuard guard;
  hooks.push_back(std::move(hook));
}

template <class Hook>
void take_out(std::vector<Hook>& hooks, uint64_t id, std::vector<std::shared_ptr<void>>& taken) {
  const auto found = std::find_if(hooks.begin(), hooks.end(), [id](const Hook& h) { return h.id == id; });
  if (found == hooks.end()) return;
  taken.push_back(std::move(found->hook));
  hooks.erase(found);
}

// Retains the gradient of a non-leaf tensor.
struct RetainGrad final : GradientHook {
  explicit RetainGrad(const at::TensorBase& t) : tensor(t.getIntrusivePtr()) {}
  Tensor call(const Tensor& grad) override {
    c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> impl = tensor.lock();
    if (!impl || !grad.defined()) return {};
    AutogradMeta& meta = materialize_meta(at::TensorBase(impl));
    const Tensor kept = meta.gradient();
    meta.set_gradient(kept.defined() ? kept.add(grad) : grad.clone(c10::MemoryFormat::Contiguous));
    return {};
  }
  c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor;
};

}  // namespace

void retain_grad(const at::TensorBase& t) {
  TORCH_CHECK(t.requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  const c10::intrusive_ptr<Node> node = grad_fn_of(t);
  AutogradMeta& meta = materialize_meta(t);
  if (!node || meta.retains_grad) return;
  auto hook = std::make_shared<RetainGrad>(t);
  hook->input_nr = meta.output_nr;
  add(node->mutable_extras().tensor_hooks, {next_hook_id(), meta.output_nr, std::move(hook), true});
  meta.retains_grad = true;
}

bool retains_grad(const at::TensorBase& t) {
  const AutogradMeta* meta = meta_of(t);
  return meta != nullptr && meta->retains_grad;
}

void move_retained_grad(const at::TensorBase& t, Node& to, uint32_t input_nr) {
  const AutogradMeta* meta = meta_of(t);
  if (meta == nullptr || !meta->retains_grad || !meta->grad_fn || !meta->grad_fn->extras()) return;
  NodeExtras& target = to.mutable_extras();
  const HookListsGuard guard;
  auto& hooks = meta->grad_fn->extras()->tensor_hooks;
  const auto found = std::find_if(hooks.begin(), hooks.end(), [&](const TensorHook& hook) {
    return hook.retains_grad && hook.input_nr == meta->output_nr;
  });
  if (found == hooks.end()) return;
  TensorHook moved = std::move(*found);
  hooks.erase(found);
  moved.input_nr = input_nr;
  static_cast<GradientHook&>(*moved.hook).input_nr = input_nr;
  target.tensor_hooks.push_back(std::move(moved));
}

// -------------------- hooks

HookHandle::HookHandle(uint64_t id, const c10::intrusive_ptr<Node>& node, const at::TensorBase& leaf)
    : id_(id) {
  if (node) node_ = c10::weak_intrusive_ptr<Node>(node);
  if (leaf.defined()) {
    leaf_ = c10::weak_intrusive_ptr<c10::TensorImpl>(
        c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(leaf.unsafeGetTensorImpl()));
  }
}

void HookHandle::remove() {
  // Removed hooks are destroyed last, outside of the lock: they may be arbitrary code.
  std::vector<std::shared_ptr<void>> dropped;
  const c10::intrusive_ptr<Node> node = node_.lock();
  const c10::intrusive_ptr<c10::TensorImpl> leaf = leaf_.lock();
  const HookListsGuard guard;
  if (node && node->extras()) {
    take_out(node->extras()->tensor_hooks, id_, dropped);
    take_out(node->extras()->pre_hooks, id_, dropped);
    take_out(node->extras()->post_hooks, id_, dropped);
  }
  const auto* meta = leaf ? static_cast<AutogradMeta*>(leaf->autograd_meta()) : nullptr;
  if (meta != nullptr && meta->leaf_hooks) {
    take_out(meta->leaf_hooks->tensor_hooks, id_, dropped);
    take_out(meta->leaf_hooks->post_accumulate_hooks, id_, dropped);
  }
}

namespace {

LeafHooks& leaf_hooks_of(const at::TensorBase& t) {
  AutogradMeta& meta = materialize_meta(t);
  if (!meta.leaf_hooks) meta.leaf_hooks = std::make_unique<LeafHooks>();
  return *meta.leaf_hooks;
}

}  // namespace

HookHandle add_hook(const at::TensorBase& t, std::shared_ptr<GradientHook> hook) {
  TORCH_CHECK(t.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  const c10::intrusive_ptr<Node> node = grad_fn_of(t);
  const uint64_t id = next_hook_id();
  hook->input_nr = output_nr_of(t);
  const uint32_t nr = hook->input_nr;
  auto& hooks = node ? node->mutable_extras().tensor_hooks : leaf_hooks_of(t).tensor_hooks;
  add(hooks, {id, nr, std::move(hook)});
  return {id, node, node ? at::TensorBase() : t};
}

HookHandle add_post_accumulate_hook(const at::TensorBase& t, std::shared_ptr<PostHook> hook) {
  TORCH_CHECK(t.requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  TORCH_CHECK(is_leaf(t), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  const uint64_t id = next_hook_id();
  add(leaf_hooks_of(t).post_accumulate_hooks, {id, std::move(hook)});
  return {id, {}, t};
}

HookHandle add_pre_hook(const c10::intrusive_ptr<Node>& node, std::shared_ptr<PreHook> hook) {
  const uint64_t id = next_hook_id();
  add(node->mutable_extras().pre_hooks, {id, std::move(hook)});
  return {id, node, {}};
}

HookHandle add_post_hook(const c10::intrusive_ptr<Node>& node, std::shared_ptr<PostHook> hook) {
  const uint64_t id = next_hook_id();
  add(node->mutable_extras().post_hooks, {id, std::move(hook)});
  return {id, node, {}};
}

}  // namespace torch::inline C10_ABI::autograd
