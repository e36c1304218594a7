// ATen's path to the device guards.
#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/DeviceGuard.h>
