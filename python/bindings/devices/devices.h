// Devices, their memory, streams and events, for the modules of device types (aten.cuda).
#pragma once
#include "prelude.h"

namespace at::python {

int init_devices(PyObject* module);
int init_streams(PyObject* module);
int init_events(PyObject* module);

}  // namespace at::python
