// What variables of a program's text are called in compiled modules.
#pragma once

#include <string>
#include <vector>

namespace cuprum {

/// The symbols that a variable may have: its plain name (extern "C", or of no namespace), a::b (_ZN1a1bE), and that of one file (_ZL1b).
std::vector<std::string> variable_symbols(const std::string& name);

}  // namespace cuprum
