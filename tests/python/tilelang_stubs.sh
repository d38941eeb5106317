#!/bin/sh
# tilelang_stubs.sh SITE-PACKAGES: lets PyPI's PyTorch for Linux be imported without CUDA's libraries.
#
# PyTorch's wheel (530 MB) is linked with cuBLAS, cuDNN, NCCL and others: 2 GB more, which a machine without a GPU never
# calls. The loader wants files of these names, and a few functions whose addresses are taken at once; this makes them.
# nvidia-cuda-runtime and nvidia-cuda-cupti (12 MB) must be installed: PyTorch calls the first when it is loaded.
set -e
torch=$1/torch/lib
stubs=$1/nvidia/cu13/lib
[ -e "$torch/libtorch_cuda.so" ] || exit 0
[ ! -e "$stubs/libcublas.so.13" ] || exit 0
families='cufile\|cuFile\|cusparse\|cufft\|nccl\|curand\|cublas\|cudnn\|nvshmem'
for file in "$torch"/*.so; do nm -D --undefined-only "$file"; done |
  sed -n "s/^ *U \(\($families\)[A-Za-z0-9_]*\).*/\1/p" | sort -u |
  sed 's/.*/void &(void) { __builtin_trap(); }/' |
  cc -shared -fPIC -w -x c - -Wl,-soname,libcudastubs.so -o "$stubs/libcudastubs.so"
# The symbols are in a library of their own: the loader does not accept them, without a version, in the named ones.
for file in "$torch"/*.so; do readelf -d "$file"; done |
  sed -n "s/.*\[\(lib\($families\)[A-Za-z_]*\.so.*\)\]/\1/p" | sort -u | grep -v -e cudart -e cupti |
  while read -r name; do
    [ -e "$stubs/$name" ] || cc -shared -x c /dev/null -Wl,-soname,"$name" -Wl,-rpath,'$ORIGIN' -Wl,--no-as-needed \
      -L"$stubs" -lcudastubs -o "$stubs/$name"
  done
