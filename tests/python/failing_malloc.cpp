// Preloaded: the k-th allocation of a thread fails once it has been armed for k.
#include <dlfcn.h>
#include <errno.h>

#include <cstddef>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

thread_local long left __attribute__((tls_model("initial-exec"))) = 0;

bool fails() {
  if (left == 0 || --left != 0) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

// The k-th allocation from now on fails; 0 disarms. Returns what was left of the last count: 0 if it failed.
__attribute__((visibility("default"))) long fail_allocation(long k) {
  const long before = left;
  left = k;
  return before;
}

void* malloc(size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* block, size_t size) { return fails() ? nullptr : __libc_realloc(block, size); }
void* memalign(size_t alignment, size_t size) { return fails() ? nullptr : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, size_t alignment, size_t size) {
  void* const made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
}
