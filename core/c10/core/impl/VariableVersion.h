// Counts in-place changes of a tensor's memory; all views of it share the counter.
#pragma once

#include <c10/core/impl/SmallBlockCache.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <atomic>
#include <cstdint>

namespace c10::inline C10_ABI {

class OperatorEntry;

struct C10_API VersionCounter final : intrusive_ptr_target {
  explicit VersionCounter(uint32_t version, const OperatorEntry* writer = nullptr)
      : version_(version), writer_(writer) {}
  ~VersionCounter() override = default;
  C10_SMALL_BLOCK_ALLOCATED

  // If two writers race, a lost increment still leaves the count changed, which is all that is needed.
  void bump(const OperatorEntry* writer) {
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    writer_.store(writer, std::memory_order_relaxed);
  }
  const OperatorEntry* writer() const { return writer_.load(std::memory_order_relaxed); }

  std::atomic<uint32_t> version_;

 private:
  std::atomic<const OperatorEntry*> writer_;
};

/// A handle to a counter; that of an inference tensor is disabled and has none.
class VariableVersion {
 public:
  enum Disabled { DISABLED };
  VariableVersion(Disabled = DISABLED) {}
  explicit VariableVersion(uint32_t version) : counter_(make_intrusive<VersionCounter>(version)) {}
  explicit VariableVersion(intrusive_ptr<VersionCounter> counter) : counter_(std::move(counter)) {}

  bool enabled() const { return counter_; }
  bool unique() const { return !counter_ || counter_.use_count() == 1; }
  void bump() {
    if (counter_) counter_->bump(nullptr);
  }
  void set_version(int64_t version) {
    TORCH_CHECK(counter_,
                "Tried to force set the version counter of a tensor that has none (an inference tensor)");
    TORCH_CHECK(version >= 0, "Cannot set a version counter to a negative value: ", version);
    counter_->version_.store(static_cast<uint32_t>(version), std::memory_order_relaxed);
  }
  uint32_t current_version() const {
    TORCH_CHECK(counter_, "Inference tensors do not track version counter.");
    return counter_->version_.load(std::memory_order_relaxed);
  }
  const intrusive_ptr<VersionCounter>& counter() const { return counter_; }

 private:
  intrusive_ptr<VersionCounter> counter_;
};

}  // namespace c10::inline C10_ABI
