/* The words of the kernels in HIP C++: those of CUDA C++ (prologue.cu, which stands before this), except for: */
#undef TRAP
#define TRAP() __builtin_trap()
