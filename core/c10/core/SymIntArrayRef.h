// ATen's path to lists of SymInt.
#pragma once

#include <c10/core/SymInt.h>
