// Streams and memory of CUDA devices for programs in Python, which has only the current stream.
#include <c10/core/Allocator.h>
#include <c10/core/Event.h>
#include <c10/core/impl/DeviceInterface.h>

namespace {
const c10::DeviceInterface& cuda() { return c10::device_interface(c10::DeviceType::CUDA); }
c10::Stream stream(int device, long id) {
  const auto index = static_cast<c10::DeviceIndex>(device);
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::DeviceType::CUDA, index), id);
}
}  // namespace

extern "C" {
// A stream of the device, by its id.
long make_stream(int device) { return cuda().new_stream(static_cast<c10::DeviceIndex>(device)).id(); }
void use_stream(int device, long id) { cuda().exchange_stream(stream(device, id)); }
long handle_of(int device, long id) {
  return reinterpret_cast<long>(cuda().native_stream(stream(device, id)));
}
void set_device(int device) { cuda().set_device(static_cast<c10::DeviceIndex>(device)); }
int is_done(int device, long id) { return cuda().query_stream(stream(device, id)); }
void synchronize(int device, long id) { cuda().synchronize_stream(stream(device, id)); }
// 1 if an event of one device can be recorded on another's stream.
int records_on_both(int first, int second) {
  c10::Event event(c10::DeviceType::CUDA);
  event.record(stream(first, 0));
  try {
    event.record(stream(second, 0));
  } catch (const c10::Error&) {
    return 0;
  }
  return 1;
}
// Memory of a device that a stream uses.
void* allocate(int device, long bytes) {
  const int before = cuda().current_device();
  set_device(device);
  auto* memory = new c10::DataPtr(cuda().allocator()->allocate(bytes));
  set_device(before);
  return memory;
}
void* address(void* memory) { return static_cast<c10::DataPtr*>(memory)->get(); }
void record_use(void* memory, int device, long id) {
  cuda().record_data_ptr_on_stream(*static_cast<c10::DataPtr*>(memory), stream(device, id));
}
void release(void* memory) { delete static_cast<c10::DataPtr*>(memory); }
}
