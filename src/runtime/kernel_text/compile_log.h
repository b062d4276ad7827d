// What a compiler says of a text that it refuses, for the one who wrote it.
#pragma once

#include <string>

namespace cuprum {

/// What a program's text is called in messages and in tables of lines.
inline constexpr char kKernelFile[] = "kernel.cu";

/// The program's lines that the log names as wrong, each marked and with the message, then the log.
std::string describe_failure(const std::string& log, const std::string& code, const std::string& compiler);

/// Does the log name a line of this file as wrong?
bool names_error_in(const std::string& log, const std::string& file);

/// A line of a text, marked, with those around it.
std::string marked_line(const std::string& code, int line);

}  // namespace cuprum
