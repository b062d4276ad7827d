// The standard library by CUDA's name: cuda::std.
#pragma once

namespace std {}
namespace cuda::std {
using namespace ::std;
}
