// NumPy's files: .npy holds one array, .npz several by name.
#pragma once

#include <map>
#include <string>

#include "cuprum/array.h"

namespace cuprum {

/// Writes a .npy file, which numpy.load reads.
void save(const std::string& path, const array& a);
/// Reads a .npy file.
array load(const std::string& path);

/// Writes a .npz file of arrays by name, not compressed, as numpy.savez does.
void savez(const std::string& path, const std::map<std::string, array>& arrays);
/// Reads a .npz file that is not compressed.
std::map<std::string, array> load_npz(const std::string& path);

}  // namespace cuprum
