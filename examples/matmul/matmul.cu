/* C = A * B in half precision, summed up in single precision; row-major: A is M x K, B is K x N.
 * matmul.yaml is its spec, README.md explains the knobs.
 *
 *   nvcc -gencode=arch=compute_90a,code=sm_90a -cubin -DM=4096 -DN=4096 -DK=4096 -DALGO=wgmma \
 *     -DBM=128 -DBN=256 -DBK=64 -DTM=64 -DTN=256 -DSTAGES=4 -DCLUSTER_M=2 -DCLUSTER_N=1 \
 *     -DPER_SM=1 -DSTORE=tma -DGROUP=8 matmul.cu
 *
 * A block of threads computes a tile of BM x BN elements of C, in steps of BK through K. The tile
 * is cut into parts of TM x TN, one for each worker. ALGO says what that is, and how it works:
 *
 *   naive   a thread, which reads A and B where they lie
 *   tiled   a thread; the block copies a step of A and B into shared memory, where all threads read
 *           them: BM and BN times fewer bytes come from afar
 *   mma     a warp, with the tensor cores (compute capability 8.0); copies of the next steps run
 *           while this one is being multiplied
 *   wgmma   four warps, with the tensor cores of compute capability 9.0, which read shared memory
 *           themselves; other warps do nothing but ask the copy engine for the next steps
 *
 * Whole tiles only: BM divides M, BN divides N, and BK divides K. No header is needed. */

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#define ALGO_naive 1
#define ALGO_tiled 2
#define ALGO_mma   3
#define ALGO_wgmma 4
#define WAY        JOIN(ALGO_, ALGO)

#define STORE_direct 1
#define STORE_tma    2

#define DEVICE static __device__ __forceinline__

#pragma nv_diag_suppress 177 /* no way needs all that is declared here */

typedef unsigned short half; /* its bits */
typedef unsigned long long u64;

/* A CUtensorMap, made by the host: what the copy engine needs to know about a matrix. */
struct alignas(64) tensor_map {
  u64 opaque[16];
};

static_assert(M % BM == 0 && N % BN == 0 && K % BK == 0, "whole tiles only");
static_assert(BM % TM == 0 && BN % TN == 0, "a tile has whole parts");

constexpr int WORKER = WAY == ALGO_wgmma ? 128 : WAY == ALGO_mma ? 32 : 1; /* its threads */
constexpr int WORKERS = (BM / TM) * (BN / TN);
constexpr int THREADS = WORKER * WORKERS + (WAY == ALGO_wgmma ? 128 : 0);
constexpr int CLUSTER = CLUSTER_M * CLUSTER_N;
constexpr int STEPS = K / BK;

/* Swizzled tiles begin at multiples of 1024 bytes. */
extern __shared__ __align__(1024) unsigned char shared[];

/* ---- What all ways share */

DEVICE float to_float(half x)
{
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}

DEVICE half to_half(float x)
{
  half y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}

DEVICE unsigned pair(float low, float high)
{
  return to_half(low) | (unsigned)to_half(high) << 16;
}

DEVICE unsigned shared_address(const void *at)
{
  return (unsigned)__cvta_generic_to_shared(at);
}

struct place {
  int m, n; /* row and column of C */
};

/* Where tile number `index` is. Tiles that are computed at the same time should share rows of A and
 * columns of B, which then come from the L2 cache: numbers go down through GROUP tiles, then on to
 * the next column, instead of along a whole row of C. Clusters of tiles are numbered as one. */
constexpr int DOWN = M / BM / CLUSTER_M, ACROSS = N / BN / CLUSTER_N, PLACES = DOWN * ACROSS;

DEVICE place tile_place(int index)
{
  int first = index / (GROUP * ACROSS) * GROUP, rest = index % (GROUP * ACROSS);
  int height = DOWN - first < GROUP ? DOWN - first : GROUP;
  return {(first + rest % height) * CLUSTER_M * BM, rest / height * CLUSTER_N * BN};
}

#if WAY == ALGO_naive

DEVICE void multiply(const half *a, const half *b, half *c)
{
  place tile = tile_place(blockIdx.x);
  int m = tile.m + threadIdx.x / BN, n = tile.n + threadIdx.x % BN;
  float sum = 0;

  static_assert(TM == 1 && TN == 1, "an element for each thread");
  for (int k = 0; k < K; k++)
    sum += to_float(a[(size_t)m * K + k]) * to_float(b[(size_t)k * N + n]);
  c[(size_t)m * N + n] = to_half(sum);
}

#elif WAY == ALGO_tiled

/* A lies transposed in shared memory, so that a thread reads its TM elements side by side; its TN
 * columns are in groups of four, COLUMNS apart: the threads of a warp read 16 bytes each without
 * meeting in a bank. */
constexpr int COLUMNS = 4 * BN / TN;

DEVICE void unpack(uint4 from, float to[8])
{
  unsigned words[4] = {from.x, from.y, from.z, from.w};
#pragma unroll
  for (int i = 0; i < 8; i++)
    to[i] = to_float((half)(words[i / 2] >> i % 2 * 16));
}

DEVICE void fill(float *tile_a, float *tile_b, const half *a, const half *b)
{
  float eight[8];

  for (int i = threadIdx.x; i < BM * BK / 8; i += THREADS) {
    int row = i % BM, k = i / BM * 8;
    unpack(*(const uint4 *)(a + (size_t)row * K + k), eight);
#pragma unroll
    for (int j = 0; j < 8; j++)
      tile_a[(k + j) * BM + row] = eight[j];
  }
  for (int i = threadIdx.x; i < BK * BN / 8; i += THREADS) {
    unpack(*(const uint4 *)(b + (size_t)(i * 8 / BN) * N + i * 8 % BN), eight);
#pragma unroll
    for (int j = 0; j < 8; j++)
      tile_b[i * 8 + j] = eight[j];
  }
}

DEVICE void add_products(float sums[TM][TN], const float *tile_a, const float *tile_b)
{
  float left[TM], right[TN];

#pragma unroll
  for (int i = 0; i < TM; i += 4)
    *(float4 *)(left + i) = *(const float4 *)(tile_a + i);
#pragma unroll
  for (int j = 0; j < TN; j += 4)
    *(float4 *)(right + j) = *(const float4 *)(tile_b + j / 4 * COLUMNS);
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++)
      sums[i][j] += left[i] * right[j];
}

DEVICE void multiply(const half *a, const half *b, half *c)
{
  float *tile_a = (float *)shared, *tile_b = tile_a + BM * BK;
  place tile = tile_place(blockIdx.x);
  int row = threadIdx.x / (BN / TN) * TM, column = threadIdx.x % (BN / TN) * 4;
  float sums[TM][TN] = {};

  for (int step = 0; step < STEPS; step++) {
    fill(tile_a, tile_b, a + (size_t)tile.m * K + step * BK, b + (size_t)step * BK * N + tile.n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++)
      add_products(sums, tile_a + k * BM + row, tile_b + k * BN + column);
    __syncthreads(); /* all have read before the next step overwrites */
  }
  c += (size_t)(tile.m + row) * N + tile.n + column;
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      *(uint2 *)(c + (size_t)i * N + j / 4 * COLUMNS) =
        make_uint2(pair(sums[i][j], sums[i][j + 1]), pair(sums[i][j + 2], sums[i][j + 3]));
}

#elif WAY == ALGO_mma

/* Tiles lie in shared memory as rows of chunks of 16 bytes. ldmatrix reads chunks of 8 rows at
 * once, and these would all be in the same banks; so the chunks of each row are swapped around, by
 * an exclusive or with the row's number. */
template <int CHUNKS> DEVICE unsigned chunk_offset(int row, int chunk)
{
  int key = CHUNKS >= 8 ? row % 8 : row / (8 / CHUNKS) % CHUNKS;
  return (row * CHUNKS + (chunk ^ key)) * 16;
}

/* ROWS x CHUNKS chunks of a matrix whose rows are `stride` elements long. The copies run by
 * themselves, and no register is used for them. */
template <int ROWS, int CHUNKS> DEVICE void copy(unsigned to, const half *from, int stride)
{
  static_assert(ROWS * CHUNKS % THREADS == 0, "all threads copy alike");
#pragma unroll
  for (int i = 0; i < ROWS * CHUNKS / THREADS; i++) {
    int number = i * THREADS + threadIdx.x, row = number / CHUNKS, chunk = number % CHUNKS;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :: "r"(to + chunk_offset<CHUNKS>(row, chunk)),
                    "l"(from + (size_t)row * stride + chunk * 8) : "memory");
  }
}

DEVICE void load_a(unsigned to[4], unsigned from)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
}

DEVICE void load_b(unsigned to[4], unsigned from) /* B's rows go along N: transposed on the way */
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from) : "memory");
}

DEVICE void add_product(float sums[4], const unsigned a[4], const unsigned b[2])
{
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* A warp's part of one step: TM x TN sums get BK more products each. */
DEVICE void add_step(float sums[TM / 16][TN / 8][4], unsigned tile_a, unsigned tile_b, int row,
                     int column)
{
  int lane = threadIdx.x % 32;

#pragma unroll
  for (int k = 0; k < BK; k += 16) {
    unsigned left[TM / 16][4], right[TN / 16][4];
#pragma unroll
    for (int i = 0; i < TM / 16; i++)
      load_a(left[i], tile_a + chunk_offset<BK / 8>(row + i * 16 + lane % 16, k / 8 + lane / 16));
#pragma unroll
    for (int j = 0; j < TN / 16; j++)
      load_b(right[j],
             tile_b + chunk_offset<BN / 8>(k + lane % 16, column / 8 + j * 2 + lane / 16));
#pragma unroll
    for (int i = 0; i < TM / 16; i++)
#pragma unroll
      for (int j = 0; j < TN / 8; j++)
        add_product(sums[i][j], left[i], right[j / 2] + j % 2 * 2);
  }
}

DEVICE void store(half *c, const float sums[TM / 16][TN / 8][4])
{
  int lane = threadIdx.x % 32;

  c += (size_t)(lane / 4) * N + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < TM / 16; i++)
#pragma unroll
    for (int j = 0; j < TN / 8; j++)
#pragma unroll
      for (int half_of = 0; half_of < 2; half_of++)
        *(unsigned *)(c + (size_t)(i * 16 + half_of * 8) * N + j * 8) =
          pair(sums[i][j][half_of * 2], sums[i][j][half_of * 2 + 1]);
}

/* STAGES - 1 steps are on their way while one is being multiplied. Every step has its own group of
 * copies, an empty one behind the end, so that the same number may always be outstanding. */
DEVICE void multiply(const half *a, const half *b, half *c)
{
  constexpr int A_BYTES = BM * BK * 2;
  constexpr int STAGE_BYTES = A_BYTES + BK * BN * 2;
  place tile = tile_place(blockIdx.x);
  int warp = threadIdx.x / 32, row = warp / (BN / TN) * TM, column = warp % (BN / TN) * TN;
  unsigned stages = shared_address(shared);
  float sums[TM / 16][TN / 8][4] = {};

  a += (size_t)tile.m * K, b += tile.n;
  auto fetch = [&](int step) {
    unsigned to = stages + step % STAGES * STAGE_BYTES;
    if (step < STEPS) {
      copy<BM, BK / 8>(to, a + step * BK, K);
      copy<BK, BN / 8>(to + A_BYTES, b + (size_t)step * BK * N, N);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int step = 0; step < STAGES - 1; step++)
    fetch(step);
  for (int step = 0; step < STEPS; step++) {
    asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2) : "memory");
    __syncthreads(); /* all copies of this step are here, and all have done with the one before */
    fetch(step + STAGES - 1);
    unsigned from = stages + step % STAGES * STAGE_BYTES;
    add_step(sums, from, from + A_BYTES, row, column);
  }
  store(c + (size_t)(tile.m + row) * N + tile.n + column, sums);
}

#elif WAY == ALGO_wgmma

/* Shared memory: STAGES times A and B of a step, then the consumers' room for C, then barriers.
 *
 * A stage is filled by the copy engine, emptied by the consumers, and so on; `full` and `empty` are
 * its two barriers. Producer and consumers each go around the stages on their own, and meet nowhere
 * else. So the copies of the next tile run while C is stored.
 *
 * The copy engine and the tensor cores agree about a layout in which the 16-byte chunks of each row
 * of 128 bytes are swapped around by an exclusive or with the row's number (mod 8), or else they
 * would meet in the banks. It makes rows of 64 elements: A's tile is BK / 64 panels of BM rows, B's
 * is BN / 64 panels of BK rows. */
constexpr int CONSUMERS = BM / TM;
constexpr int PANEL = 64, ROW_BYTES = 128, ATOM_BYTES = 8 * ROW_BYTES;
constexpr int A_PANEL_BYTES = BM * ROW_BYTES, A_BYTES = BK / PANEL * A_PANEL_BYTES;
constexpr int B_PANEL_BYTES = BK * ROW_BYTES, B_BYTES = BN / PANEL * B_PANEL_BYTES;
constexpr int STAGE_BYTES = A_BYTES + B_BYTES;
constexpr int BOX_BYTES = 64 * ROW_BYTES; /* 64 x 64 of C */
constexpr bool HAS_ROOM = JOIN(STORE_, STORE) == STORE_tma;
constexpr int ROOMS_AT = STAGES * STAGE_BYTES;
constexpr int BARRIERS_AT = ROOMS_AT + (HAS_ROOM ? CONSUMERS * 2 * BOX_BYTES : 0);

static_assert(TN == BN && BN <= 256 && TM % 64 == 0 && BK % 64 == 0, "wgmma's shapes");
static_assert(BN / PANEL % CLUSTER_M == 0 && BM / CLUSTER_N % 8 == 0, "shared out in a cluster");

/* Registers: the sums alone are TM * TN / 128 for each thread of a consumer, and the producer needs
 * hardly any. All threads are launched with the same share of the 65536 that a multiprocessor has;
 * then the producer's warps give most of theirs away. */
constexpr int LAUNCHED = 65536 / PER_SM / THREADS / 8 * 8, FEW = 40;
constexpr int MOST = (LAUNCHED * (CONSUMERS + 1) - FEW) / CONSUMERS / 8 * 8;
constexpr int MANY = MOST < 240 ? MOST : 240;
constexpr bool MOVES_REGISTERS = LAUNCHED < MANY;

/* ---- Barriers */

struct pipe { /* one's own place in the round of stages */
  int stage;
  unsigned phase;

  __device__ __forceinline__ void advance()
  {
    if (++stage == STAGES) stage = 0, phase ^= 1;
  }
};

DEVICE unsigned full_barrier(int stage)
{
  return shared_address(shared) + BARRIERS_AT + stage * 8;
}

DEVICE unsigned empty_barrier(int stage)
{
  return full_barrier(STAGES + stage);
}

DEVICE void barrier_init(unsigned barrier, int arrivals)
{
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(barrier), "r"(arrivals) : "memory");
}

DEVICE void barrier_wait(unsigned barrier, unsigned phase)
{
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n"
               "}" :: "r"(barrier), "r"(phase) : "memory");
}

/* Arrives, and says how many bytes the phase waits for besides. */
DEVICE void barrier_expect(unsigned barrier, int bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :: "r"(barrier), "r"(bytes) : "memory");
}

/* Arrives at the same barrier of block number `rank` of the cluster. With `.release.cluster` it
 * would wait for all of memory first, and that takes as long as a step. */
DEVICE void barrier_arrive(unsigned barrier, unsigned rank)
{
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
               "}" :: "r"(barrier), "r"(rank) : "memory");
}

DEVICE void cluster_sync()
{
  if (CLUSTER == 1)
    __syncthreads();
  else
    asm volatile("barrier.cluster.arrive.release;\n"
                 "barrier.cluster.wait.acquire;" ::: "memory");
}

/* ---- The producer: one thread, which asks the copy engine for boxes of A and B */

/* The box goes to the same place in all blocks of the cluster that `mask` has, and counts at their
 * barriers. */
DEVICE void copy_box(unsigned to, const tensor_map &map, int x, int y, unsigned barrier, int mask)
{
  if (CLUSTER == 1)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(to), "l"(&map), "r"(x), "r"(y), "r"(barrier) : "memory");
  else
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(to), "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"((short)mask) : "memory");
}

/* Blocks that stand beside each other in a cluster (CLUSTER_N) need the same rows of A, and those
 * below each other (CLUSTER_M) the same columns of B: each fetches its share for all of them. */
DEVICE void produce(const tensor_map &a_map, const tensor_map &b_map, int rank)
{
  constexpr int A_ROWS = BM / CLUSTER_N, B_PANELS = BN / PANEL / CLUSTER_M;
  int below = rank / CLUSTER_N, beside = rank % CLUSTER_N;
  int a_mask = ((1 << CLUSTER_N) - 1) << below * CLUSTER_N, b_mask = 0;
  pipe at = {0, 1}; /* at first all stages are empty */

#pragma unroll
  for (int i = 0; i < CLUSTER_M; i++)
    b_mask |= 1 << (i * CLUSTER_N + beside);
  for (int index = blockIdx.x / CLUSTER; index < PLACES; index += gridDim.x / CLUSTER) {
    place tile = tile_place(index);
    int m = tile.m + below * BM + beside * A_ROWS, n = tile.n + beside * BN;
    for (int k = 0; k < K; k += BK, at.advance()) {
      unsigned full = full_barrier(at.stage);
      unsigned to = shared_address(shared) + at.stage * STAGE_BYTES;
      barrier_wait(empty_barrier(at.stage), at.phase);
      barrier_expect(full, STAGE_BYTES);
#pragma unroll
      for (int i = 0; i < BK / PANEL; i++)
        copy_box(to + i * A_PANEL_BYTES + beside * A_ROWS * ROW_BYTES, a_map, k + i * PANEL, m,
                 full, a_mask);
#pragma unroll
      for (int i = below * B_PANELS, j = 0; j < B_PANELS; i++, j++)
        copy_box(to + A_BYTES + i * B_PANEL_BYTES, b_map, n + i * PANEL, k, full, b_mask);
    }
  }
}

/* ---- The consumers: wgmma adds 64 x 16 of A times 16 x BN of B to sums in registers */

/* Where a matrix is in shared memory: its first atom, how far it is to the next panel, and to the
 * next 8 rows. 1 << 62: rows of 128 bytes, swizzled. */
DEVICE u64 descriptor(unsigned at, unsigned panel_bytes)
{
  return 1ull << 62 | (u64)(ATOM_BYTES / 16) << 32 | (u64)(panel_bytes / 16) << 16 |
         (at & 0x3ffff) / 16;
}

#define TO3(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3"
#define TO7(t) TO3(t) ", %" #t "4, %" #t "5, %" #t "6, %" #t "7"
#define TEN(t) TO7(t) ", %" #t "8, %" #t "9, "
#define FLOATS8(i) \
  "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), "+f"(sums[i + 4]), \
    "+f"(sums[i + 5]), "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define FLOATS32(i) FLOATS8(i), FLOATS8(i + 8), FLOATS8(i + 16), FLOATS8(i + 24)

/* The last digits of an instruction: A and B as they are, A along K, B along N. */
#define WGMMA(shape, registers, left, right, adds) \
  "{\n" \
  ".reg .pred adds;\n" \
  "setp.ne.b32 adds, " adds ", 0;\n" \
  "wgmma.mma_async.sync.aligned." shape ".f32.f16.f16 {" registers "}, " left ", " right \
  ", adds, 1, 1, 0, 1;\n" \
  "}"

DEVICE void add_product(float (&sums)[BN / 2], u64 a, u64 b, int adds)
{
#if BN == 64
  asm volatile(WGMMA("m64n64k16", TEN() TEN(1) TEN(2) "%30, %31", "%32", "%33", "%34")
               : FLOATS32(0) : "l"(a), "l"(b), "r"(adds));
#elif BN == 128
  asm volatile(WGMMA("m64n128k16", TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TO3(6),
                     "%64", "%65", "%66")
               : FLOATS32(0), FLOATS32(32) : "l"(a), "l"(b), "r"(adds));
#elif BN == 256
  asm volatile(WGMMA("m64n256k16", TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8)
                     TEN(9) TEN(10) TEN(11) TO7(12), "%128", "%129", "%130")
               : FLOATS32(0), FLOATS32(32), FLOATS32(64), FLOATS32(96)
               : "l"(a), "l"(b), "r"(adds));
#else
#error BN is 64, 128 or 256
#endif
}

template <int LEFT> DEVICE void wait_products()
{
  asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(LEFT) : "memory");
}

/* A warp has done with a stage: so says one of its lanes to each block that writes there. */
DEVICE void release(int stage)
{
  int lane = threadIdx.x % 32;

  if (lane < CLUSTER) barrier_arrive(empty_barrier(stage), lane);
}

/* One step is always under way while the next begins; only then is its stage released. */
DEVICE void add_steps(float (&sums)[TM / 64][BN / 2], pipe &at, int consumer)
{
  int before = 0;

#pragma unroll 1
  for (int step = 0; step < STEPS; step++, at.advance()) {
    unsigned a = shared_address(shared) + at.stage * STAGE_BYTES;
    unsigned b = a + A_BYTES;
    barrier_wait(full_barrier(at.stage), at.phase);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < BK; k += 16)
#pragma unroll
      for (int i = 0; i < TM / 64; i++)
        add_product(sums[i],
                    descriptor(a + k / PANEL * A_PANEL_BYTES + k % PANEL * 2 +
                                 (consumer * TM + i * 64) * ROW_BYTES, 16),
                    descriptor(b + k * ROW_BYTES, B_PANEL_BYTES), step | k);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    wait_products<1>();
    if (step) release(before);
    before = at.stage;
  }
  wait_products<0>();
  release(before);
#pragma unroll
  for (int i = 0; i < TM / 64; i++)
#pragma unroll
    for (int j = 0; j < BN / 2; j++)
      asm volatile("" : "+f"(sums[i][j]) :: "memory"); /* nobody reads them before the wait */
}

/* ---- Storing: of every 8 columns a thread has two, from lane % 4 * 2 on, in row lane / 4 of its
 * warp's 16 rows and in the row 8 below */

DEVICE void store_direct(half *c, const float (&sums)[BN / 2])
{
  int lane = threadIdx.x % 32;

  c += (size_t)(threadIdx.x % 128 / 32 * 16 + lane / 4) * N + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < BN / 2; j += 4) {
    *(unsigned *)(c + j * 2) = pair(sums[j], sums[j + 1]);
    *(unsigned *)(c + (size_t)8 * N + j * 2) = pair(sums[j + 2], sums[j + 3]);
  }
}

DEVICE void store_matrices(unsigned at, const float *sums)
{
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               :: "r"(at), "r"(pair(sums[0], sums[1])), "r"(pair(sums[2], sums[3])),
                  "r"(pair(sums[4], sums[5])), "r"(pair(sums[6], sums[7])) : "memory");
}

DEVICE void consumer_sync(int consumer)
{
  asm volatile("bar.sync %0, 128;" :: "r"(1 + consumer) : "memory");
}

/* By way of shared memory, 64 columns at a time: whole lines of C are written then, and the copy
 * engine does it while the consumer goes on. Two rooms take turns. */
DEVICE void store_tma(const tensor_map &c_map, int m, int n, const float (&sums)[BN / 2],
                      int consumer, int &turn)
{
  int thread = threadIdx.x % 128, lane = thread % 32;
  int row = thread / 32 * 16 + lane % 16;

#pragma unroll
  for (int panel = 0; panel < BN / PANEL; panel++) {
    unsigned room = shared_address(shared) + ROOMS_AT + (consumer * 2 + turn) * BOX_BYTES;
    turn ^= 1;
    if (thread == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    consumer_sync(consumer);
#pragma unroll
    for (int chunk = 0; chunk < 8; chunk += 2)
      store_matrices(room + row * ROW_BYTES + ((chunk + lane / 16) ^ row % 8) * 16,
                     sums + panel * 32 + chunk * 4);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    consumer_sync(consumer);
    if (thread == 0)
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
                   "cp.async.bulk.commit_group;"
                   :: "l"(&c_map), "r"(n + panel * PANEL), "r"(m), "r"(room) : "memory");
  }
}

DEVICE void consume(const tensor_map &c_map, half *c, int rank, int consumer)
{
  float sums[TM / 64][BN / 2];
  pipe at = {0, 0};
  int turn = 0;

  for (int index = blockIdx.x / CLUSTER; index < PLACES; index += gridDim.x / CLUSTER) {
    place tile = tile_place(index);
    int m = tile.m + rank / CLUSTER_N * BM + consumer * TM, n = tile.n + rank % CLUSTER_N * BN;
    add_steps(sums, at, consumer);
#pragma unroll
    for (int i = 0; i < TM / 64; i++)
      if (HAS_ROOM)
        store_tma(c_map, m + i * 64, n, sums[i], consumer, turn);
      else
        store_direct(c + (size_t)(m + i * 64) * N + n, sums[i]);
  }
  if (HAS_ROOM) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

DEVICE void multiply(const tensor_map &a_map, const tensor_map &b_map, const tensor_map &c_map,
                     half *c)
{
  int group = __shfl_sync(~0u, threadIdx.x / 128, 0); /* so that it is known to be a warp's */
  int rank = blockIdx.x % CLUSTER;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; stage++) {
      barrier_init(full_barrier(stage), 1);
      barrier_init(empty_barrier(stage), CONSUMERS * 4 * CLUSTER);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster_sync(); /* nobody writes to a barrier that is not there yet */
  if (group == CONSUMERS) {
    if (MOVES_REGISTERS) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(FEW));
    if (threadIdx.x % 128 == 0) produce(a_map, b_map, rank);
  } else {
    if (MOVES_REGISTERS) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(MANY));
    consume(c_map, c, rank, group);
  }
  if (CLUSTER > 1) cluster_sync(); /* nor to shared memory of a block that has ended */
}

#endif

extern "C" __global__ void __launch_bounds__(THREADS, PER_SM)
matmul(const __grid_constant__ tensor_map a_map, const __grid_constant__ tensor_map b_map,
       const __grid_constant__ tensor_map c_map, const half *__restrict__ a,
       const half *__restrict__ b, half *__restrict__ c)
{
#if WAY == ALGO_wgmma
  multiply(a_map, b_map, c_map, c);
#else
  multiply(a, b, c);
#endif
}
