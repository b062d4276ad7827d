// Where NVIDIA's libraries are. They are opened when first needed, never linked: a machine without cuBLAS can still do
// everything but matmul.
//
// Looked for in this order: already loaded by somebody else in this process; pip wheels (nvidia/cu13/lib, for CUDA 12
// nvidia/<component>/lib) beside this package and on sys.path; the conda prefix; the system's search path; CUDA_PATH,
// CUDA_HOME, /usr/local/cuda. Folders that are not absolute are passed over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cuprum::cuda {

/// The handle of "nvrtc", "cublas", "cublasLt", "nvJitLink", "cufft", "curand", "cusolver" or "cusparse" for the CUDA
/// major version of this build. Throws an Error that lists every place tried and says what to install.
void* nvidia_library(std::string_view name);

/// The path that nvidia_library found, or why it failed; for `python -m cuprum info`.
std::string nvidia_library_status(std::string_view name);

/// The toolkit's headers, for texts that NVRTC compiles: its folder and that of CCCL below it, looked for beside the libraries. Empty where
/// there is none.
const std::vector<std::string>& nvidia_header_folders();

/// A function of a library; throws when it is missing. `auto* f = symbol<decltype(&::cublasCreate_v2)>(lib, "...")`
void* find_symbol(void* library, const char* name);
template <class F>
F symbol(void* library, const char* name) {
  return reinterpret_cast<F>(find_symbol(library, name));
}
/// One that older libraries lack: null there.
void* find_new_symbol(void* library, const char* name);
template <class F>
F new_symbol(void* library, const char* name) {
  return reinterpret_cast<F>(find_new_symbol(library, name));
}

}  // namespace cuprum::cuda
