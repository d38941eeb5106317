/*@hone params:
 *   BM: [64, 128]
 *   BN: [1]
 *
 * rules:
 *   - BM > BN
 */
int x;
//@hone a: 1
