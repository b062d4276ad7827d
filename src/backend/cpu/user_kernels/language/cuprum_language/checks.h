// What a module that was compiled with checks tells libcuprum: every access of its functions to memory, before it is made, and their calls.
#pragma once

namespace cuprum_language {

/// How memory is touched: bits.
enum Touch : unsigned { kReads = 1, kWrites = 2, kAtomic = 4, kVolatile = 8 };

/// `place` is where the program goes on afterwards. Those that find an error that cannot be survived do not return.
struct Checks {
  void (*touch)(void* address, unsigned long bytes, unsigned touch, const void* place);
  void (*copy)(void* to, const void* from, unsigned long bytes, const void* place);  // memmove
  void (*fill)(void* to, int byte, unsigned long bytes, const void* place);          // memset
  void (*call)(const void* place);                                                   // a function was called
  void (*finish)();  // the function that was called last ends
  void (*fence)();   // __threadfence
  void (*misaligned)(const void* address, unsigned long alignment, const char* type, const void* place);
  void (*outside)(long long index, const char* type, const void* place);  // of an array of a declared length
};

/// How symbols of memory before and behind the variables of a thread begin, which nobody may touch: what comes there of a wrong index is
/// found, and harms nobody.
inline constexpr char kGuard[] = "cuprum_guard";

/// The symbol of a pointer to them, null until libcuprum sets it.
inline constexpr char kChecks[] = "cuprum_checks";

}  // namespace cuprum_language
