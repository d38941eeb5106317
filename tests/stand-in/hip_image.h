/* hip_image.h - textures and surfaces, shared by hip.c, which makes them, and by hip_device.h,
 * whose kernels use them. */
struct stand_in_array {
  unsigned long width, height, depth, texel_bytes; /* height and depth are at least 1 */
  int format;
  unsigned channels;
  char *texels;
};

struct stand_in_texture {
  struct stand_in_array array; /* of linear memory: one that describes it */
  int address[3], is_smooth, is_normalized, reads_integers;
};
