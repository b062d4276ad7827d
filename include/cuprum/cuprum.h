// Everything: NumPy for C++, recorded and fused.
#pragma once

#include "cuprum/array.h"
#include "cuprum/creation.h"
#include "cuprum/elementwise.h"
#include "cuprum/fft.h"
#include "cuprum/files.h"
#include "cuprum/kernel.h"
#include "cuprum/linalg.h"
#include "cuprum/manipulation.h"
#include "cuprum/printing.h"
#include "cuprum/random.h"
#include "cuprum/reductions.h"
#include "cuprum/runtime.h"
#include "cuprum/sharing.h"
#include "cuprum/sorting.h"
