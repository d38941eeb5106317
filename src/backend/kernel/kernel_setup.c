/* The fields of a setup. A field is optional if jobs of other kinds do not need it. */
#include "backend/kernel/kernel_setup.h"

#include <math.h>
#include <string.h>

static const struct hone__field file_fields[] = {
    HONE__SIZE(struct hone__kernel_file, offset, HONE__NEEDED),
    HONE__SIZE(struct hone__kernel_file, size, HONE__NEEDED),
    HONE__TEXT(struct hone__kernel_file, digest, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_file, format, HONE__OPTIONAL),
};
static const struct hone__record_type file_type =
    HONE__RECORD_TYPE("file", struct hone__kernel_file, file_fields);

static const struct hone__field fill_fields[] = {
    HONE__VALUE(struct hone__kernel_fill, low, HONE__OPTIONAL),
    HONE__VALUE(struct hone__kernel_fill, high, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_fill, kind, HONE__OPTIONAL),
    HONE__VALUE(struct hone__kernel_fill, value, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_fill, file, HONE__OPTIONAL, &file_type),
};
static const struct hone__record_type fill_type =
    HONE__RECORD_TYPE("fill", struct hone__kernel_fill, fill_fields);

static const struct hone__field image_fields[] = {
    HONE__TEXT(struct hone__kernel_image, kind, HONE__NEEDED),
    HONE__INT(struct hone__kernel_image, channels, HONE__NEEDED, 1, 4),
    HONE__TEXT(struct hone__kernel_image, filter, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_image, address, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_image, read, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_image, memory, HONE__OPTIONAL),
    HONE__BOOL(struct hone__kernel_image, normalized, HONE__OPTIONAL),
};
static const struct hone__record_type image_type =
    HONE__RECORD_TYPE("image", struct hone__kernel_image, image_fields);

static const struct hone__field arg_fields[] = {
    HONE__TEXT(struct hone__kernel_arg, name, HONE__NEEDED),
    HONE__TEXT(struct hone__kernel_arg, type, HONE__OPTIONAL),
    HONE__INTS(struct hone__kernel_arg, shape, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_arg, role, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_arg, symbol, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_arg, image, HONE__OPTIONAL, &image_type),
    HONE__RECORD(struct hone__kernel_arg, fill, HONE__OPTIONAL, &fill_type),
    HONE__REAL(struct hone__kernel_arg, rtol, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__kernel_arg, atol, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__kernel_arg, ratio, HONE__OPTIONAL, 0, 1),
    HONE__TEXT(struct hone__kernel_arg, reduce, HONE__OPTIONAL),
    HONE__BOOL_AS(struct hone__kernel_arg, "variable", is_variable, HONE__OPTIONAL),
    HONE__BOOL_AS(struct hone__kernel_arg, "scalar", is_scalar, HONE__OPTIONAL),
    HONE__BOOL_AS(struct hone__kernel_arg, "local", is_local, HONE__OPTIONAL),
    HONE__BOOL_AS(struct hone__kernel_arg, "struct", is_struct, HONE__OPTIONAL),
    HONE__SIZE(struct hone__kernel_arg, size, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__kernel_arg, members, HONE__OPTIONAL),
    HONE__BOOL_AS(struct hone__kernel_arg, "return", is_return, HONE__OPTIONAL),
    HONE__BOOL_AS(struct hone__kernel_arg, "map", is_map, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_arg, of, HONE__OPTIONAL),
};
static const struct hone__record_type arg_type =
    HONE__RECORD_TYPE("argument", struct hone__kernel_arg, arg_fields);

static const struct hone__field check_fields[] = {
    HONE__BOOL(struct hone__kernel_check, enabled, HONE__NEEDED),
    HONE__REAL(struct hone__kernel_check, rtol, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__kernel_check, atol, HONE__OPTIONAL, 0, INFINITY),
    HONE__REAL(struct hone__kernel_check, ratio, HONE__OPTIONAL, 0, 1),
    HONE__TEXT(struct hone__kernel_check, answers, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__kernel_check, command, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_check, entry, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_check, object, HONE__OPTIONAL, &file_type),
    HONE__REAL(struct hone__kernel_check, limit_s, HONE__OPTIONAL, 0, INFINITY),
};
static const struct hone__record_type check_type =
    HONE__RECORD_TYPE("check", struct hone__kernel_check, check_fields);

static const char *reference_kind(int kind)
{
  static const char *const names[] = {
#define X(id, name) name,
      HONE__REFERENCE_KINDS(X)
#undef X
  };

  return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

static const struct hone__field reference_fields[] = {
    HONE__CHOICE(struct hone__kernel_reference, kind, HONE__NEEDED, reference_kind),
    HONE__PACKED(struct hone__kernel_reference, candidate, HONE__OPTIONAL),
    HONE__SIZE(struct hone__kernel_reference, offset, HONE__OPTIONAL),
    HONE__SIZE(struct hone__kernel_reference, size, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_reference, key, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__kernel_reference, argv, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__kernel_reference, files, HONE__OPTIONAL, &file_type),
};
static const struct hone__record_type reference_type =
    HONE__RECORD_TYPE("reference", struct hone__kernel_reference, reference_fields);

static const struct hone__field step_fields[] = {
    HONE__TEXT(struct hone__kernel_step, file, HONE__NEEDED),
    HONE__TEXT(struct hone__kernel_step, entry, HONE__NEEDED),
    HONE__RECORD(struct hone__kernel_step, object, HONE__NEEDED, &file_type),
    HONE__INTS(struct hone__kernel_step, constant, HONE__OPTIONAL),
};
static const struct hone__record_type step_type =
    HONE__RECORD_TYPE("step", struct hone__kernel_step, step_fields);

static const struct hone__field build_fields[] = {
    HONE__REAL(struct hone__kernel_build_limits, timeout_s, HONE__OPTIONAL, 0, INFINITY),
};
static const struct hone__record_type build_type =
    HONE__RECORD_TYPE("build", struct hone__kernel_build_limits, build_fields);

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__kernel_setup, backend, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_setup, spec_name, HONE__OPTIONAL),
    HONE__INT(struct hone__kernel_setup, seed, HONE__SENT, -0x1p63, 0x1p63),
    HONE__SIZE(struct hone__kernel_setup, memory_bytes, HONE__SENT),
    HONE__TEXT(struct hone__kernel_setup, folder, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_setup, entry, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_setup, cache, HONE__OPTIONAL),
    HONE__BOOL(struct hone__kernel_setup, energy, HONE__OPTIONAL),
    HONE__BOOL(struct hone__kernel_setup, lock_clocks, HONE__OPTIONAL),
    HONE__BOOL(struct hone__kernel_setup, changes_device, HONE__OPTIONAL),
    HONE__SIZE(struct hone__kernel_setup, ahead, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_setup, target, HONE__OPTIONAL, &hone__wire_device_facts_type),
    HONE__TEXT(struct hone__kernel_setup, device, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_setup, build, HONE__OPTIONAL, &build_type),
    HONE__RECORDS(struct hone__kernel_setup, args, HONE__SENT, &arg_type),
    HONE__REAL(struct hone__kernel_setup, arguments_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__TEXT(struct hone__kernel_setup, inputs_key, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_setup, check, HONE__OPTIONAL, &check_type),
    HONE__RECORD(struct hone__kernel_setup, reference, HONE__OPTIONAL, &reference_type),
    HONE__RECORDS(struct hone__kernel_setup, steps, HONE__OPTIONAL, &step_type),
};
const struct hone__record_type hone__kernel_setup_type =
    HONE__RECORD_TYPE("setup", struct hone__kernel_setup, fields);

bool hone__kernel_arg_is_output(const struct hone__kernel_arg *arg)
{
  return arg->role && (strcmp(arg->role, "out") == 0 || strcmp(arg->role, "inout") == 0);
}
