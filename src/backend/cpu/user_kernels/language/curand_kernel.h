// cuRAND's device API with cuRAND's numbers: XORWOW, Philox4_32_10 and MRG32k3a; uniform, normal and log-normal laws.
// The bits are cuRAND's to the last one; normal numbers go through this machine's log, sin and cos.
#pragma once

#include "cuprum_language/random_laws.h"
