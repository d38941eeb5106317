#define A(x) \
  x
/* f( */ // f(
namespace a { template <typename T> void f(T *x, std::size_t n, ...); }
