/* The words of the kernels in HIP C++: those of CUDA C++ (prologue.cu, which stands before this), except for: */
#undef TRAP
#define TRAP() __builtin_trap()
#undef PICTURE
#undef LINE
#undef CANVAS
#define PICTURE hipTextureObject_t
#define LINE hipTextureObject_t
#define CANVAS hipSurfaceObject_t
