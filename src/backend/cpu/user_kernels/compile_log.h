// What a compiler says of a text that it refuses, for the one who wrote it.
#pragma once

#include <string>

namespace cuprum::cpu {

/// The program's lines that the log names as wrong, each marked and with the message, then the log. `file`: what the text is called in it.
std::string describe_failure(const std::string& log, const std::string& code, const std::string& file,
                             const std::string& compiler);

}  // namespace cuprum::cpu
