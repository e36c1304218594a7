// The bits of a bfloat16: c10::BFloat16 converts.
#pragma once

struct __nv_bfloat16 {
  unsigned short bits;
};
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return {bits}; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
