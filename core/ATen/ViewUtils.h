// The geometry of views: sizes, strides and offsets of tensors that share a storage. Views are made often and
// do little else, so one costs a single TensorImpl, whose sizes and strides are written in place.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace at::inline C10_ABI {

/// `shape` with its -1, if any, replaced such that it holds `numel` elements.
TORCH_API DimVector infer_size_dv(IntArrayRef shape, int64_t numel);

namespace detail {

// Set while autograd's layers run a view operator: the base of the views that it makes. Such views hold the
// base, as autograd's views do, and share its version counter; other views only share the counter. A view
// operator within another finds none set: what it makes becomes a view when the outer one returns.
extern TORCH_API constinit thread_local const c10::TensorImpl* viewed;

C10_ALWAYS_INLINE void set_viewed(const TensorBase& base);

class ViewedScope {
 public:
  C10_ALWAYS_INLINE explicit ViewedScope(const TensorBase& base) { set_viewed(base); }
  ViewedScope(const ViewedScope&) = delete;
  ViewedScope& operator=(const ViewedScope&) = delete;
  C10_ALWAYS_INLINE ~ViewedScope() { viewed = nullptr; }
};

/// In the kernel of an operator that makes one view: ends what autograd's layers began with set_viewed before
/// they jumped to it.
class ViewedEnd {
 public:
  ViewedEnd() = default;
  ViewedEnd(const ViewedEnd&) = delete;
  ViewedEnd& operator=(const ViewedEnd&) = delete;
  C10_ALWAYS_INLINE ~ViewedEnd() { viewed = nullptr; }
  /// Marks `view` as a view of `base` if the layers asked for it, however it was made.
  C10_ALWAYS_INLINE void finish(const TensorBase& view, const TensorBase& base) const;

 private:
  const c10::TensorImpl* const root_ = viewed;
};

/// `view` shows memory of `base`: it holds base, or what base is a view of. Inference tensors don't.
TORCH_API void set_view_of(const TensorBase& view, const TensorBase& base, c10::ViewCreation creation);

// What only views may do to a TensorImpl. Inline with the operators that make views, each of which is one
// short function then.
struct TORCH_API ViewAccess {
  using Impl = c10::TensorImpl;

  C10_ALWAYS_INLINE static const Impl* root_of(const Impl* t) {
    return t->view_base_ ? t->view_base_.get() : t;
  }

  // How a view of `base` is to be made now.
  C10_ALWAYS_INLINE static c10::ViewCreation view_creation_of(const Impl* base) {
    const c10::AutogradState& state = c10::AutogradState::get_tls_state();
    if (C10_UNLIKELY(state.get_inference_mode())) return c10::ViewCreation::Inference;
    return C10_LIKELY(state.get_grad_mode()) ? base->view_creation() : c10::ViewCreation::NoGrad;
  }

  C10_ALWAYS_INLINE static c10::intrusive_ptr<Impl> share_storage(const Impl* base, ScalarType dtype) {
    auto view = c10::make_intrusive<Impl>(Impl::VIEW, c10::Storage(base->storage()), base->key_set(), dtype);
    if (C10_UNLIKELY(base->is_inference())) return view;
    const Impl* const root = root_of(base);
    if (C10_LIKELY(root == viewed)) {
      ::new (&view->view_base_) c10::intrusive_ptr<Impl>(
          c10::intrusive_ptr<Impl>::reclaim_copy(const_cast<Impl*>(root)));  // it was null
      view->set_view_created(view_creation_of(base));
    } else {
      const Impl* const counting = base->counted_on();
      if (C10_UNLIKELY(!counting->shared_version_)) counting->share_version();
      ::new (&view->shared_version_)
          c10::intrusive_ptr<c10::VersionCounter>(counting->shared_version_);  // it was null
    }
    return view;
  }

  C10_ALWAYS_INLINE static void resize_dims(Impl* view, int64_t ndim, int64_t*& sizes, int64_t*& strides) {
    view->sizes_and_strides_.resize(static_cast<size_t>(ndim));
    sizes = view->sizes_and_strides_.sizes_data();
    strides = view->sizes_and_strides_.strides_data();
  }

  C10_ALWAYS_INLINE static void finish(const Impl* base, Impl* view, const int64_t* sizes,
                                       const int64_t* strides, int64_t storage_offset, int64_t numel,
                                       bool same_elements) {
    view->storage_offset_ = storage_offset;
    view->numel_ = numel;
    const size_t ndim = view->sizes_and_strides_.size();
    // Memory formats other than row-major begin at four dimensions.
    if (C10_UNLIKELY(ndim > 3)) return view->refresh_contiguous();
    // Strides of empty tensors address no memory: their products may wrap.
    uint64_t expected = 1, reach = 0;
    bool contiguous = true;
    for (size_t i = ndim; i-- > 0;) {
      if (sizes[i] == 1) continue;
      const auto size = static_cast<uint64_t>(sizes[i]), stride = static_cast<uint64_t>(strides[i]);
      contiguous &= stride == expected;
      expected *= size;
      reach += (size - 1) * stride;
    }
    contiguous |= numel == 0;
    // Unless the first and the last element are numel - 1 apart, there are gaps or overlapping elements.
    const bool dense = contiguous || (same_elements ? base->is_non_overlapping_and_dense()
                                                    : static_cast<int64_t>(reach) == numel - 1 &&
                                                          view->compute_non_overlapping_and_dense());
    view->form_.flags = static_cast<uint8_t>((contiguous ? Impl::kContiguous : 0) |
                                             (dense ? Impl::kNonOverlappingAndDense : 0));
  }
};

C10_ALWAYS_INLINE void set_viewed(const TensorBase& base) {
  viewed = ViewAccess::root_of(base.unsafeGetTensorImpl());
}

C10_ALWAYS_INLINE void ViewedEnd::finish(const TensorBase& view, const TensorBase& base) const {
  const c10::TensorImpl* const of = base.unsafeGetTensorImpl();
  if (C10_LIKELY(view.unsafeGetTensorImpl()->view_base().get() == root_)) return;
  if (root_ == ViewAccess::root_of(of)) set_view_of(view, base, ViewAccess::view_creation_of(of));
}

/// A view under construction: a tensor over base's storage, with base's version counter and dtype and without
/// autograd history, whose `ndim` sizes and strides are written before finish(). They must lie within the
/// storage.
class NewView {
 public:
  /// What is known of a view's elements besides its geometry.
  enum Elements { kSameAsBase, kAny };

  C10_ALWAYS_INLINE NewView(const TensorBase& base, int64_t ndim)
      : base_(base.unsafeGetTensorImpl()), impl_(ViewAccess::share_storage(base_, base_->scalar_type())) {
    ViewAccess::resize_dims(impl_.get(), ndim, sizes_, strides_);
  }

  int64_t* sizes() { return sizes_; }
  int64_t* strides() { return strides_; }
  /// kSameAsBase: each element of base exactly once, in any order, so that some properties of base carry
  /// over.
  C10_ALWAYS_INLINE TensorBase finish(int64_t storage_offset, int64_t numel, Elements elements) {
    ViewAccess::finish(base_, impl_.get(), sizes_, strides_, storage_offset, numel, elements == kSameAsBase);
    return TensorBase(std::move(impl_));
  }

 private:
  const c10::TensorImpl* base_;
  c10::intrusive_ptr<c10::TensorImpl> impl_;
  int64_t* sizes_;
  int64_t* strides_;
};

/// A tensor with this geometry over self's storage, as NewView makes it. Throws when the number of elements
/// overflows.
TORCH_API TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides,
                               int64_t storage_offset);
/// The same with the elements read as another dtype; sizes, strides and offset count elements of that dtype.
TORCH_API TensorBase make_view(const TensorBase& self, IntArrayRef sizes, IntArrayRef strides,
                               int64_t storage_offset, ScalarType dtype);
/// A second tensor with self's geometry.
TORCH_API TensorBase make_alias(const TensorBase& self);

/// infer_size_dv, written to `sizes`.
TORCH_API void infer_size_to(int64_t* sizes, IntArrayRef shape, int64_t numel);

/// Strides with which a tensor of `newshape` has the elements of one of (oldshape, oldstride) in the same
/// order; false when that needs a copy. Both shapes have the same number of elements.
TORCH_API std::optional<DimVector> computeStride(IntArrayRef oldshape, IntArrayRef oldstride,
                                                 IntArrayRef newshape);
TORCH_API bool compute_stride_to(int64_t* newstride, IntArrayRef oldshape, IntArrayRef oldstride,
                                 IntArrayRef newshape);

/// A view of self expanded to `sizes`, where -1 keeps a size. Throws when a dimension other than 1 would
/// change.
TORCH_API TensorBase make_expanded(const TensorBase& self, IntArrayRef sizes);

/// Dense strides for `sizes`, whose dimensions lie in memory in the order of `strides`.
TORCH_API DimVector dense_strides(IntArrayRef sizes, IntArrayRef strides);

/// Throws unless size and stride are equally long and nothing is negative.
TORCH_API void check_as_strided_args(IntArrayRef size, IntArrayRef stride, int64_t storage_offset);

}  // namespace detail
}  // namespace at::inline C10_ABI
