/* The fields that CUDA adds to a candidate: its compiler, the architecture, the launch. */
#include "backend/cuda/cuda_backend.h"

#include "backend/cuda/cuda_flags.h"
#include "backend/gpu/gpu_candidate.h"

static void add_compiler(const struct hone__kernel_origin *origin,
                         struct hone__kernel_candidate *candidate)
{
  const struct hone__node *compiler = hone__kernel_setting(origin, "compiler");

  candidate->compiler = compiler ? compiler->text : HONE__CUDA_NVRTC;
}

static hone_status no_architecture(const struct hone__task *task)
{
  return hone__spec_error(task->spec, hone__task_setting(task, "build"),
                          "no CUDA device found ('hone devices' shows why), and no flag names an "
                          "architecture: to build without a device, use '--device sm_90a "
                          "--stop-after build', or write 'build: {flags: [-arch=sm_90a]}'");
}

/* Flags take precedence: -arch is explicit. */
static hone_status add_architecture(const struct hone__task *task, struct hone__arena *arena,
                                    struct hone__kernel_candidate *candidate)
{
  char arch[HONE__CUDA_ARCH_SIZE];

  if (hone__cuda_flags_arch(candidate->flags, arch)) {
    candidate->arch = hone__arena_strdup(arena, arch);
    return NULL;
  }
  candidate->arch = task->device ? task->device->arch : NULL;
  return candidate->arch ? NULL : no_architecture(task);
}

static hone_status complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                            const struct hone__source_text *source, struct hone__arena *arena,
                            struct hone__kernel_candidate *candidate)
{
  const struct hone__task *task = origin->task;
  hone_status status;

  (void)source;
  add_compiler(origin, candidate);
  status = add_architecture(task, arena, candidate);
  return status ? status : hone__gpu_complete(task, row, arena, candidate);
}

static void identify(const struct hone__kernel_candidate *candidate,
                     const struct hone__source_text *source, const char *folder,
                     struct hone__digester *digester)
{
  hone__cuda_identify(candidate, source, folder, false, digester);
}

const struct hone__kernel_kind hone__kernel_kind_cuda = {"cuda", complete, identify,
                                                         HONE__FUNCTIONS_CUDA};

hone_status hone__cuda_describe_task(const struct hone__task *task, struct hone__message *out_setup)
{
  return hone__kernel_describe(task, &hone__kernel_kind_cuda, out_setup);
}

hone_status hone__cuda_candidate(const struct hone__task *task, const uint32_t *row,
                                 struct hone__packed **out_candidate)
{
  return hone__kernel_candidate(task, row, &hone__kernel_kind_cuda, out_candidate);
}
