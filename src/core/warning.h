// Warnings: what a function says beside its result, where its caller listens. Python does; a C++ program hears nothing.
#pragma once

namespace cuprum {

/// NumPy's RuntimeWarning.
void warn(const char* text);

/// Who is told from now on; null: nobody. The listener may throw.
void set_warning_listener(void (*listener)(const char* text));

}  // namespace cuprum
