// Finds LAPACK, as cuda/ATen/cuda/CUDABlas.cpp does cuBLAS, and the functions that set its threads.
#include <ATen/native/cpu/linalg/lapack.h>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace at::native::lapack {

namespace {

struct Library {
  void* handle = nullptr;
  std::string prefix;  // of all names: those of scipy-openblas32 are scipy_dpotrf_ ...
  void (*set_threads)(int) = nullptr;
  int (*get_threads)() = nullptr;
  std::string tried;
};

void* symbol(const Library& library, const std::string& name) {
  return ::dlsym(library.handle, (library.prefix + name).c_str());
}

// An OpenBLAS of 64-bit integers may have the same names.
bool has_short_integers(const Library& library) {
  const auto config = reinterpret_cast<const char* (*)()>(symbol(library, "openblas_get_config"));
  return config == nullptr || std::strstr(config(), "USE64BITINT") == nullptr;
}

bool open(Library& library, const std::string& path) {
  library.handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  for (const char* prefix : {"scipy_", ""}) {
    library.prefix = prefix;
    if (library.handle != nullptr && symbol(library, "dpotrf_") != nullptr && has_short_integers(library)) {
      return true;
    }
  }
  library.tried += "\n  " + path;
  return false;
}

// Of a folder, the library of scipy-openblas32, or one with the names that Linux distributions use.
bool open_in(Library& library, const std::string& folder) {
  for (const char* name : {"libscipy_openblas.so", "libopenblas.so.0", "liblapack.so.3"}) {
    if (open(library, folder + name)) return true;
  }
  return false;
}

// The folder of this library ends in "/".
std::string folder_of_this_library() {
  static const char anchor = 0;
  Dl_info info;
  if (::dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

// In this order: the folder that ATEN_LAPACK_PATH names, the package scipy-openblas32 beside the Python
// package that this library lies in, and the system's own search.
bool find(Library& library) {
  if (const char* given = std::getenv("ATEN_LAPACK_PATH"); given != nullptr && *given != '\0') {
    if (open_in(library, std::string(given) + "/")) return true;
  }
  if (open(library, folder_of_this_library() + "../../scipy_openblas32/lib/libscipy_openblas.so")) {
    return true;
  }
  return open(library, "liblapack.so.3") || open(library, "libopenblas.so.0") ||
         open(library, "liblapack.so");
}

Library load() {
  Library library;
  if (!find(library)) {
    library.handle = nullptr;
    return library;
  }
  library.set_threads = reinterpret_cast<void (*)(int)>(symbol(library, "openblas_set_num_threads"));
  library.get_threads = reinterpret_cast<int (*)()>(symbol(library, "openblas_get_num_threads"));
  return library;
}

const Library& library() {
  static const Library* instance = new Library(load());
  TORCH_CHECK(instance->handle != nullptr,
              "linear algebra on the CPU needs LAPACK, which was not found. Install it with `pip install "
              "scipy-openblas32`, or name its folder in ATEN_LAPACK_PATH. Tried:",
              instance->tried);
  return *instance;
}

}  // namespace

void* routine(char letter, const char* stem) {
  const std::string name = std::string(1, letter) + stem + "_";
  void* found = symbol(library(), name);
  TORCH_CHECK(found != nullptr, "the LAPACK that was found has no ", name);
  return found;
}

// OpenBLAS has one number for the process. Setting it is safe while calls run, which keep theirs, and after a
// fork.
void use_threads(int64_t count) {
  const Library& found = library();
  if (found.set_threads == nullptr || found.get_threads == nullptr) return;
  if (found.get_threads() != count) found.set_threads(static_cast<int>(count));
}

}  // namespace at::native::lapack
