#include "backend/simt/simt_backend.h"

#include "backend/gpu/gpu_candidate.h"

bool hone__simt_is_beside_cpu(const char *device)
{
  (void)device;
  return true;
}

/* ---- Candidates ---- */

static hone_status no_architecture(const struct hone__simt_compiler *compiler,
                                   const struct hone__task *task)
{
  return hone__backend_spec_error(
      task->spec, hone__task_setting(task, "build"),
      "no %s device found ('hone devices' shows why), and no flag names an architecture: to build "
      "without a device, use '--device %s --stop-after build', or write 'build: {flags: [%s%s]}'",
      compiler->platform, compiler->usual_arch, compiler->arch_option, compiler->usual_arch);
}

/* Flags take precedence: they are explicit. */
static hone_status add_architecture(const struct hone__simt_compiler *compiler,
                                    const struct hone__task *task, struct hone__arena *arena,
                                    struct hone__kernel_candidate *candidate)
{
  candidate->arch = compiler->flags_arch(candidate->flags, arena);
  if (!candidate->arch && task->device) candidate->arch = task->device->arch;
  return candidate->arch ? NULL : no_architecture(compiler, task);
}

hone_status hone__simt_complete(const struct hone__simt_compiler *compiler,
                                const struct hone__kernel_origin *origin, const uint32_t *row,
                                struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  const struct hone__node *given = hone__kernel_setting(origin, "compiler");
  hone_status status;

  candidate->compiler = given ? given->text : compiler->word;
  status = add_architecture(compiler, origin->task, arena, candidate);
  return status ? status : hone__gpu_complete(origin, row, arena, candidate);
}

/* ---- Builds ---- */

hone_status hone__simt_build_command(const struct hone__simt_compiler *compiler,
                                     const struct hone__packed *setup,
                                     const struct hone__packed *candidate,
                                     struct hone__text *out_command)
{
  if (hone__kernel_packed_is_c(candidate))
    return hone__c_build_command(setup, candidate, out_command);
  return hone__kernel_build_command(setup, candidate, compiler->steps.print, out_command);
}

void hone__simt_build(const struct hone__simt_compiler *compiler, const struct hone__packed *setup,
                      const struct hone__packed *job, struct hone__answer *answer)
{
  if (hone__kernel_job_is_c(job))
    hone__c_build(setup, job, answer);
  else
    hone__kernel_build(&compiler->steps, setup, job, answer);
}
