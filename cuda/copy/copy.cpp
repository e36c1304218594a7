// copy_ to, from and between CUDA devices. What can't be copied as bytes is first converted to that form, on
// the source's side.
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/copy/stubs.h>
#include <ATen/native/cuda/copy/copy.h>
#include <ATen/native/cuda/foreach/lists.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/CachingHostAllocator.h>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

// Both sides lie in memory element by element in the same order.
bool same_bytes(const Tensor& dst, const Tensor& src) {
  return dst.scalar_type() == src.scalar_type() && dst.is_contiguous() && src.is_contiguous() &&
         dst.sizes() == src.sizes();
}

void copy_within_host_and_device(const Tensor& dst, const Tensor& src, bool non_blocking) {
  const Device device = dst.is_cuda() ? dst.device() : src.device();
  const c10::DeviceGuard guard(device);
  const c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream(device.index());
  C10_CUDA_CHECK(cudaMemcpyAsync(dst.mutable_data_ptr(), src.const_data_ptr(), dst.nbytes(),
                                 dst.is_cuda() ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream));
  if (!non_blocking) {
    C10_CUDA_CHECK(cudaStreamSynchronize(stream));
    return;
  }
  // Page-locked memory isn't reused before the copy is done. CUDA copies other host memory before it returns.
  const Tensor& host = dst.is_cuda() ? src : dst;
  c10::cuda::CachingHostAllocator::record_stream(host.storage().data_ptr(), stream);
}

void copy_host_and_device(const Tensor& dst, const Tensor& src, bool non_blocking) {
  if (same_bytes(dst, src)) return copy_within_host_and_device(dst, src, non_blocking);
  // Temporaries end here: those of the device in the order of the stream, and what CUDA reads of others it
  // has read before it returns.
  const Tensor sent = src.to(dst.scalar_type()).expand(dst.sizes()).contiguous();
  if (dst.is_contiguous()) return copy_within_host_and_device(dst, sent, non_blocking);
  Tensor received = at::empty(dst.sizes(), dst.options());
  copy_within_host_and_device(received, sent, non_blocking && dst.is_cuda());
  const_cast<Tensor&>(dst).copy_(received);
}

// Waits on `later`'s stream for what is on `earlier`'s now.
void order_streams(Device earlier, Device later) {
  c10::Event event(c10::DeviceType::CUDA);
  event.record(c10::cuda::getCurrentCUDAStream(earlier.index()));
  event.block(c10::cuda::getCurrentCUDAStream(later.index()));
}

void copy_peer(const Tensor& dst, const Tensor& src) {
  if (!same_bytes(dst, src)) {
    const Tensor sent = src.to(dst.scalar_type()).expand(dst.sizes()).contiguous();
    if (dst.is_contiguous()) return copy_peer(dst, sent);
    Tensor received = at::empty(dst.sizes(), dst.options());
    copy_peer(received, sent);
    const_cast<Tensor&>(dst).copy_(received);
    return;
  }
  // The copy runs on the source's stream, between what both devices have done and will do.
  const c10::DeviceGuard guard(src.device());
  order_streams(dst.device(), src.device());
  C10_CUDA_CHECK(cudaMemcpyPeerAsync(dst.mutable_data_ptr(), dst.device().index(), src.const_data_ptr(),
                                     src.device().index(), dst.nbytes(),
                                     c10::cuda::getCurrentCUDAStream(src.device().index())));
  order_streams(src.device(), dst.device());
}

void copy_kernel_cuda(TensorIterator& iter, bool non_blocking) {
  const Tensor& dst = iter.tensor(0);
  const Tensor& src = iter.tensor(1);
  if (dst.device() != src.device()) {
    if (dst.is_cuda() && src.is_cuda()) {
      copy_peer(dst, src);
    } else {
      copy_host_and_device(dst, src, non_blocking);
    }
    return;
  }
  const c10::DeviceGuard guard(dst.device());
  const bool is_same = same_bytes(dst, src);
  if (is_same && dst.const_data_ptr() == src.const_data_ptr()) return;
  // Of lists one kernel copies many tensors.
  if (is_same && cuda_lists::current() == nullptr) {
    C10_CUDA_CHECK(cudaMemcpyAsync(dst.mutable_data_ptr(), src.const_data_ptr(), dst.nbytes(),
                                   cudaMemcpyDeviceToDevice, c10::cuda::getCurrentCUDAStream()));
  } else {
    copy_on_device(iter);
  }
}

}  // namespace

REGISTER_CUDA_DISPATCH(copy_stub, &copy_kernel_cuda)

}  // namespace at::native
