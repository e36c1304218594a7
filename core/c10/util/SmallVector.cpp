// The heap side of SmallVector.
#include <c10/util/SmallVector.h>
#include <c10/util/safe_numerics.h>

#include <cstdlib>
#include <new>

namespace c10::inline C10_ABI {
namespace detail {

void* small_vector_allocate(size_t capacity, size_t size) {
  size_t nbytes = 0;
  if (mul_overflows(capacity, size, &nbytes)) throw std::bad_alloc();
  void* data = std::malloc(nbytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}

void small_vector_free(void* data) noexcept { std::free(data); }

}  // namespace detail
}  // namespace c10::inline C10_ABI
