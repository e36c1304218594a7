// The bits of a half. prologue.h has c10::Half convert by the code of the host.
#pragma once

struct __half {
  unsigned short bits;
};
inline __half __ushort_as_half(unsigned short bits) { return {bits}; }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }
