// What the operating system gives: memory of the machine, and blocks of it.
#pragma once

#include <cstddef>
#include <string>

namespace cuprum::cpu {

/// Blocks of at least this size are mapped on their own, aligned to it and backed by large pages: a fresh 40 MB block
/// then costs 20 page faults instead of 10,000.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// `bytes` of memory aligned to 64, or nullptr.
std::byte* system_allocate(std::size_t bytes) noexcept;
void system_free(std::byte* block, std::size_t bytes) noexcept;

/// Memory of the machine, or of the control group that the process runs in.
std::size_t total_memory();

/// How much of it could be used without swapping; SIZE_MAX where the system does not say.
std::size_t available_memory();

/// The processor's model, as the system names it.
std::string processor_name();

}  // namespace cuprum::cpu
