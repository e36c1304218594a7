// The emulator's state, shared by its sources. One launch runs at a time, on the host thread that waits for
// it; everything is guarded by global_lock().
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <mutex>
#include <random>
#include <string>

namespace emulator {

enum class Order { forward, reverse, random };

/// From the environment, as host.py sets it.
struct Settings {
  int devices;
  Order order;          // of threads and blocks
  bool is_lazy;         // work on a stream runs when something waits for it
  bool checks_initial;  // reads of device memory that nobody wrote
  size_t bytes_per_device;
  int capability;  // of compute: 75, say
  size_t max_grid_x;
};
const Settings& settings();
std::mt19937_64& random_numbers();
std::recursive_mutex& global_lock();

/// One line per kind, kernel and place. `other_pc` is the place of the other access in a race.
[[gnu::format(printf, 4, 5)]] void report(const char* kind, const void* pc, const void* other_pc,
                                          const char* format, ...);
/// The launch that reports are about; null outside of kernels.
void set_reported_kernel(const Kernel* kernel);
const Kernel* reported_kernel();
void count_launch(const Kernel& kernel);
/// module+offset, as addr2line takes it; a return address is behind the call.
std::string location(const void* pc);

// ---- memory

/// Who accessed a byte, and when.
struct Access {
  uint64_t pc : 48, phase : 16;  // phase: how many barriers of the block came before
  uint32_t block;
  uint16_t thread;  // 1 + its number in the block; 0: nobody
  uint16_t clock;   // of the thread in its warp
};
struct Cell {
  Access writer, reader, other_reader;
  uint32_t epoch;  // of which launch (device memory) or block (shared memory) the accesses are
  bool is_atomic;  // the write
};

enum ByteState : uint8_t {
  live = 1,
  written = 2,
  padding =
      4,  // behind an allocation: the rest of a word of four bytes, which atomics on small elements access
};

/// Bytes that are accessed by elements of one size: element i has cell i, of the granule's as many cells as
/// bytes. With size 1 each byte has its own.
struct Granule {
  uint32_t epoch;
  uint8_t element;  // bytes
};
constexpr size_t granule_bytes = 16;

/// A range of addresses with the state and the last accesses of each byte.
struct Region {
  char* begin = nullptr;
  size_t bytes = 0;
  uint8_t* states = nullptr;
  Cell* cells = nullptr;
  Granule* granules = nullptr;
  int device = 0;
  bool is_shared = false;

  bool contains(const void* p) const {
    return static_cast<size_t>(static_cast<const char*>(p) - begin) < bytes;
  }
  void set_state(const void* p, size_t n, int state) {
    std::memset(states + (static_cast<const char*>(p) - begin), state, n);
  }
};
Region reserve_region(size_t bytes, int device, bool is_shared);
bool all_have(const uint8_t* states, size_t n, uint8_t state);
/// The device memory that contains the address, or null.
Region* device_region(const void* p);
Region& shared_region();
bool is_pinned(const void* p);

enum class AccessKind { read, write, atomic };
/// `is_aligned`: the compiler relied on the alignment that an object of this size has.
void check_access(const void* address, size_t bytes, AccessKind kind, bool is_aligned, const void* pc);

// ---- running threads

struct Thread {
  enum class State : uint8_t { fresh, ready, at_barrier, at_warp, finished };

  void* stack_pointer = nullptr;
  char* stack = nullptr;
  State state = State::fresh;
  uint16_t number = 0;  // in the block
  uint16_t phase = 0;
  unsigned mask = 0;  // of the lanes it waits for
  Place place{};      // where it waits
  uint64_t operand = 0;
  // clocks[i]: up to which of its own steps lane i of the warp is known to come before this thread's next
  // one.
  std::array<uint16_t, 32> clocks{};
  const uint64_t* operands = nullptr;  // of the last exchange, of all lanes: in one of them
  std::array<uint64_t, 32> kept_operands{};
  unsigned present = 0;  // which lanes took part in it

  unsigned lane() const { return number % 32u; }
};
/// The emulated thread that runs on this host thread; null for host code.
Thread* running_thread();
/// While it lives, the emulator's own code runs: what it calls may be instrumented.
class Unchecked {
 public:
  Unchecked();
  ~Unchecked();

 private:
  Thread* thread_;
};
bool is_other_stack(const void* p);  // the stack of another emulated thread
bool is_own_stack(const void* p);

struct Grid {
  const Parameters* parameters = nullptr;
  const std::function<void()>* thread = nullptr;  // what calls the kernel
  int device = 0;
  uint32_t launch = 0;       // its number
  uint32_t block = 0;        // the number of the running block in the grid
  uint32_t block_epoch = 0;  // and among all blocks
};
const Grid& grid();
/// Ends the kernel: no more of its threads run.
[[noreturn]] void stop_kernel(cudaError_t error);

/// Runs the threads of one block; false if the kernel was stopped.
bool run_block(int threads, const std::function<void()>& thread);
void begin_block_memory(size_t dynamic_bytes);

// ---- what is counted

/// Whether EMULATOR_TRAFFIC is set; else nothing below is called.
extern bool counts_traffic;
void count_access(const Region& region, const char* address, size_t bytes, const void* pc,
                  const Thread& thread);
/// All threads of the block have come to a barrier or to their end.
void count_requests();

// ---- errors and streams

cudaError_t fail(cudaError_t error);
/// Of kernels that ran; given to the next call that waits, and forgotten: the device can be used again.
void set_device_error(cudaError_t error);
bool has_device_error();
cudaError_t take_device_error();
int current_device();
int running_device();                       // of the work that runs
int device_of_stream(cudaStream_t stream);  // -1: there is no such stream

}  // namespace emulator
