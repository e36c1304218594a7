// Tangents (see the header).
#include <torch/autograd/forward.h>

#include <ATen/MemoryOverlap.h>
#include <c10/core/AutogradState.h>
#include <torch/autograd/autograd_meta.h>
#include <torch/autograd/views.h>

#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros_like.h>

#include <mutex>

namespace torch::inline C10_ABI::autograd {

constinit std::atomic<uint64_t> ForwardLevel::open_{0};

namespace {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl>;

// The tensors with a tangent in the open level, which clears them when it is left.
struct Level {
  std::mutex mutex;
  uint64_t last = 0;
  std::vector<WeakTensor> tensors;
};
Level& level() {
  static Level* const the = new Level();
  return *the;
}

Tensor own_tangent(const at::TensorBase& t) {
  const AutogradMeta* meta = meta_of(t);
  return meta != nullptr && meta->forward && meta->forward->level == ForwardLevel::current()
             ? meta->forward->tangent
             : Tensor();
}

void keep(const at::TensorBase& t, Tensor tangent) {
  AutogradMeta& meta = materialize_meta(t);
  const bool first = !meta.forward;
  if (first) meta.forward = std::make_unique<ForwardGrad>();
  *meta.forward = {std::move(tangent), ForwardLevel::current()};
  if (!first) return;
  const std::scoped_lock lock(level().mutex);
  level().tensors.emplace_back(c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(t.unsafeGetTensorImpl()));
}

void check_fits(const Tensor& value, const Tensor& tangent) {
  TORCH_CHECK(tangent.sizes() == value.sizes(),
              "Expected tangent to have the same size as primal, got a tangent of ", tangent.sizes(), " for ",
              value.sizes());
  TORCH_CHECK(tangent.scalar_type() == value.scalar_type(),
              "Expected tangent to have the same dtype as primal, got a tangent of ", tangent.scalar_type(),
              " for ", value.scalar_type());
  TORCH_CHECK(tangent.device() == value.device(),
              "Expected tangent to be on the device of primal, got one on ", tangent.device(), " for ",
              value.device());
}

// The tangent in the value's layout: views of the value correspond to views of the tangent.
Tensor laid_out_as(const Tensor& value, const Tensor& tangent) {
  if (value.numel() < 2 || tangent.strides() == value.strides() ||
      at::has_internal_overlap(value) != at::MemOverlap::No) {
    return tangent;
  }
  return at::empty_strided(value.sizes(), value.strides(), tangent.options()).copy_(tangent);
}

}  // namespace

uint64_t ForwardLevel::enter() {
  const std::scoped_lock lock(level().mutex);
  TORCH_CHECK(open_.load() == 0, "Nested forward mode AD is not supported at the moment");
  open_.store(++level().last);
  return level().last;
}

void ForwardLevel::exit(uint64_t number) {
  std::vector<WeakTensor> tensors;
  {
    const std::scoped_lock lock(level().mutex);
    TORCH_CHECK(open_.load() == number,
                "Exiting a forward AD level that is not the one that was entered last");
    open_.store(0);
    tensors.swap(level().tensors);
  }
  for (const WeakTensor& weak : tensors) {
    const c10::intrusive_ptr<c10::TensorImpl> impl = weak.lock();
    if (impl && impl->autograd_meta()) static_cast<AutogradMeta*>(impl->autograd_meta())->forward.reset();
  }
}

Tensor tangent(const at::TensorBase& t) {
  if (!ForwardLevel::any() || !t.defined() || !c10::AutogradState::get_tls_state().get_fw_grad_mode()) {
    return {};
  }
  if (Tensor own = own_tangent(t); own.defined() || !t.is_view()) return own;
  const Tensor of_base = own_tangent(t._base());
  if (!of_base.defined()) return {};
  Tensor shown = replay_view(of_base, Geometry(t._base()), Geometry(t));
  keep(t, shown);
  return shown;
}

Tensor tangent_or_zeros(const Tensor& t) {
  if (!t.defined()) return {};
  Tensor own = tangent(t);
  return own.defined() ? own : at::zeros_like(t);
}

Tensor primal(const Tensor& t) {
  if (!t.defined() || !tangent(t).defined()) return t;
  Tensor value = t.alias();
  // Made without this level's tangents: an alias would show the tangent as a view does.
  if (AutogradMeta* meta = meta_of(value)) meta->forward.reset();
  value.unsafeGetTensorImpl()->clear_view();
  return value;
}

void set_tangent(const Tensor& result, const Tensor& t, bool in_place) {
  if (!t.defined() || !result.defined()) return;
  if (!(result.is_floating_point() || result.is_complex())) return;
  check_fits(result, t);
  if (!in_place) return keep(result, t);
  Tensor kept = tangent(result);
  if (!kept.defined() && result.is_view()) {
    const Tensor base(result._base());
    keep(base, at::zeros_like(base));
    kept = tangent(result);
  }
  if (kept.is_same(t)) return;
  if (kept.defined() && result.is_view()) {
    kept.copy_(t);
  } else {
    keep(result, t);
  }
}

void set_tangent(const std::vector<Tensor>& results, const std::vector<Tensor>& tangents, bool in_place) {
  for (size_t i = 0; i < results.size() && i < tangents.size(); ++i) {
    set_tangent(results[i], tangents[i], in_place);
  }
}

Tensor make_dual(const Tensor& value, const Tensor& t, uint64_t number) {
  TORCH_CHECK(ForwardLevel::current() == number && number != 0,
              "make_dual() needs an open forward AD level: use it within dual_level()");
  TORCH_CHECK(!tangent(value).defined(),
              "Making a dual Tensor based on a Tensor that already has a forward gradient "
              "at the same level is not supported.");
  check_fits(value, t);
  Tensor dual = value.alias();
  keep(dual, laid_out_as(value, t));
  return dual;
}

std::pair<Tensor, Tensor> unpack_dual(const Tensor& dual, uint64_t number) {
  if (ForwardLevel::current() != number) return {dual, Tensor()};
  return {primal(dual), tangent(dual)};
}

}  // namespace torch::inline C10_ABI::autograd
