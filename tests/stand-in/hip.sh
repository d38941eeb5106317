# hip.sh - from here on, backend hip uses the library of hip.c: HIP's runtime and hiprtc on the CPU.
cc -shared -fPIC -DHEADER="\"\\\"$PWD/tests/stand-in/hip_device.h\\\"\"" -o "$TMP/libstand-in.so" tests/stand-in/hip.c ||
  exit 1
export HONE_HIP=$TMP/libstand-in.so HONE_HIPRTC=$TMP/libstand-in.so
