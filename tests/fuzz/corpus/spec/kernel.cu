//@hone params: {A: [1, 2]}
/*@hone
 * constraints:
 *   - A < B
 */
__global__ void k() {}
