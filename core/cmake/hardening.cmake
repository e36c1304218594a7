# What makes a fault in memory harder to use, where it costs next to nothing (docs/reference/safety.md has the figures).
option(HARDENING "Build with the compiler's and the linker's protections" ON)

set(HARDENING_OPTIONS "")  # of all code
set(HARDENING_GUARD "")    # of code that reads what callers in Python say, and of extensions
set(HARDENING_LINK_OPTIONS "")
if(HARDENING)
  # No code on the stack, and no table of addresses that is written after loading.
  set(HARDENING_LINK_OPTIONS -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  if(NOT SANITIZE)
    # The C library's checked functions; compilers that don't know level 3 take it for 2. Sanitizers check more.
    set(HARDENING_OPTIONS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
    # Return addresses behind buffers of characters.
    set(HARDENING_GUARD -fstack-protector)
  endif()
endif()
