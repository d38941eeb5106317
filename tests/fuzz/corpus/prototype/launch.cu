extern "C" {
__global__ void __launch_bounds__(256) f(float *__restrict__ x, int n[4]) {}
}
