/*@hone
problem: {N: 2048}
params: {TILE: [1, 4, 8, 16, 32, 64, 128]}
baseline: {TILE: 1}
args:
  - {name: n, type: i32, value: N}
  - {name: a, type: f32, shape: [N, N]}
  - {name: b, type: f32, shape: [N, N], role: out}
*/
void transpose(int n, const float *restrict a, float *restrict b)
{
  for (int i = 0; i < n; i += TILE)
    for (int j = 0; j < n; j += TILE)
      for (int k = i; k < i + TILE && k < n; k++)
        for (int l = j; l < j + TILE && l < n; l++)
          b[l * n + k] = a[k * n + l];
}
