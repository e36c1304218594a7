// Autograd of views and writes to them (see the header).
#include <torch/autograd/views.h>

#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/autograd/autograd_meta.h>
#include <torch/autograd/graph_task.h>
#include <torch/autograd/saved_variable.h>

#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

namespace torch::inline C10_ABI::autograd {

namespace {

void check_has_history(bool has, c10::ScalarType base, c10::ScalarType view) {
  TORCH_CHECK(has, "the history of a view can't be recomputed: it was given data of ", view,
              ", its base has ", base, ". Make the view again, or detach it.");
}

Tensor as_dtype(const Tensor& t, c10::ScalarType from, c10::ScalarType to) {
  if (to == c10::toRealValueType(from)) return at::view_as_real(t);
  if (from != c10::toRealValueType(to)) return t.view(to);
  check_has_history(t.numel() % 2 == 0, from, to);
  return at::view_as_complex(t.reshape({-1, 2}));
}

// The base's geometry in elements of the view's dtype.
int64_t offset_in(const Geometry& base, c10::ScalarType dtype) {
  return base.offset * static_cast<int64_t>(c10::elementSize(base.dtype)) /
         static_cast<int64_t>(c10::elementSize(dtype));
}

// Calls within are recorded, whatever layers this thread has excluded.
class RecordGuard {
 public:
  RecordGuard()
      : keys_(c10::impl::tls_local_dispatch_key_set().included_,
              c10::impl::tls_local_dispatch_key_set().excluded_ -
                  c10::autograd_dispatch_keyset_with_ADInplaceOrView),
        grad_mode_(true) {}

 private:
  c10::impl::ForceDispatchKeyGuard keys_;
  c10::AutoGradMode grad_mode_;
};

}  // namespace

Tensor replay_view(const Tensor& t, const Geometry& base, const Geometry& view) {
  const bool same = base.dtype == view.dtype;
  const Tensor source = same ? t : as_dtype(t, base.dtype, view.dtype);
  const int64_t offset = t.storage_offset() * static_cast<int64_t>(c10::elementSize(base.dtype)) /
                         static_cast<int64_t>(c10::elementSize(view.dtype));
  return source.as_strided(view.sizes, view.strides, view.offset - offset_in(base, view.dtype) + offset);
}

void check_writable(const at::TensorBase& view, bool indirect) {
  const c10::ViewCreation creation = view.unsafeGetTensorImpl()->view_creation();
  if (C10_LIKELY(creation == c10::ViewCreation::Recorded)) return;
  const AutogradMeta* meta = meta_of(view);
  const std::string who =
      meta != nullptr && meta->grad_fn
          ? c10::str("Output ", meta->output_nr, " of ", meta->grad_fn->name(), " is a view and ")
          : std::string("A view was created in ") +
                (creation == c10::ViewCreation::Inference ? "inference mode"
                 : creation == c10::ViewCreation::NoGrad  ? "no_grad mode"
                                                          : "an operator with several results") +
                " and ";
  const char* what =
      indirect ? "its base or another view of its base has been modified inplace with grad mode enabled. "
               : "is being modified inplace with grad mode enabled. ";
  const char* why = creation == c10::ViewCreation::MultiOutput
                        ? "This view is the output of a function that returns multiple views; writes to one "
                          "of them can't be "
                          "recorded. Use an out-of-place operation instead."
                    : creation == c10::ViewCreation::CustomFunction
                        ? "This view was created inside a custom Function (or is an input that it returned "
                          "as it is); recording "
                          "the write would override the Function's own backward. Clone the Function's output."
                        : "Whether the write is to be recorded is ambiguous. Make both the view and the "
                          "write inside of the mode, "
                          "or both outside.";
  TORCH_CHECK(false, who, what, why);
}

c10::intrusive_ptr<Node> grad_fn_of_view(const at::TensorBase& view) {
  c10::TensorImpl* impl = view.unsafeGetTensorImpl();
  AutogradMeta& meta = materialize_meta(view);
  const uint32_t version = impl->current_version();
  {
    const NodeGuard guard(meta.mutex);
    if (impl->view_version() == version) return meta.grad_fn;
  }
  const Tensor base(view._base());
  if (!base.requires_grad()) return meta.grad_fn;
  check_writable(view, /*indirect=*/true);
  const RecordGuard record;
  const Tensor fresh = replay_view(base, Geometry(base), Geometry(view));
  const NodeGuard guard(meta.mutex);
  if (impl->view_version() != version) {
    AutogradMeta* made = meta_of(fresh);
    check_has_history(made != nullptr && made->grad_fn, base.scalar_type(), view.scalar_type());
    move_retained_grad(view, *made->grad_fn, 0);
    set_gradient_edge(view, {made->grad_fn, made->output_nr});
  }
  return meta.grad_fn;
}

// -------------------- CopySlices

CopySlices::CopySlices(const at::TensorBase& base, const at::TensorBase& view, c10::intrusive_ptr<Node> write)
    : base_(base),
      view_(view),
      write_(std::move(write)),
      operator_name_(write_->operator_name() != nullptr ? write_->operator_name() : write_->name()) {
  add_input_metadata(base);
  // The edge of the operator's first argument, the view, is replaced by that of the base.
  add_next_edge(gradient_edge(base));
  for (size_t i = 1; i < write_->num_outputs(); ++i) add_next_edge(write_->next_edge(i));
}

CopySlices::~CopySlices() { release_node(std::move(write_)); }

void CopySlices::release_variables() {
  const NodeGuard guard(mutex());
  // Only dropped: what the node saved of its result may be reachable from elsewhere.
  release_node(std::move(write_));
}

variable_list CopySlices::apply(variable_list&& grads) {
  c10::intrusive_ptr<Node> write;
  {
    const NodeGuard guard(mutex());
    write = write_;
  }
  if (!write) throw_released(*this);
  variable_list results(num_outputs());
  const Tensor grad = std::move(grads[0]);
  if (!grad.defined()) return results;
  Tensor result = grad.new_empty_strided(base_.sizes, base_.strides).copy_(grad);
  Tensor slice = replay_view(result, base_, view_);
  // The operator's node decides by its own edges which gradients are needed; the view's node need not be in
  // this run.
  if (GraphTask* task = GraphTask::current(); task != nullptr && write->next_edge(0).is_valid()) {
    task->add_unless_visited(write->next_edge(0), task_should_compute_output(0));
  }
  variable_list of_write = write->apply({slice.clone()});
  for (size_t i = 1; i < of_write.size(); ++i) results[i] = std::move(of_write[i]);
  if (!task_should_compute_output(0)) return results;
  if (!of_write.empty() && of_write[0].defined()) {
    slice.copy_(of_write[0]);
  } else {
    slice.zero_();
  }
  results[0] = std::move(result);
  return results;
}

}  // namespace torch::inline C10_ABI::autograd
