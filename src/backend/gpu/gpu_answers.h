/* gpu_answers.h - compares the output of launches with a candidate's first answers; in the helper.
 *
 * First answers are copied on the device, so that later ones are compared there: all sets of a
 * sample, or some of them. Answers that the runner has accepted are kept, too: most candidates give
 * the same bits as another one, and these bits need not be copied to the host and compared again.
 */
#ifndef HONE_BACKEND_GPU_GPU_ANSWERS_H
#define HONE_BACKEND_GPU_GPU_ANSWERS_H

#include "backend/gpu/gpu_bench.h"

/* Keeps the content of this set as the first answer to its inputs. */
bool hone__gpu_answers_keep(struct hone__trial *trial, size_t index, size_t set);
/* Sets first_like of the record if it was seen before. */
bool hone__gpu_answers_recognise(struct hone__trial *trial, size_t index, size_t set);
/* Copies a recognised answer to the host. */
bool hone__gpu_answers_recall(struct hone__trial *trial, size_t index, size_t content);
/* Before a trial. `was_right`: the runner accepted the answers of the first candidate of the trial
 * before; `is_suspect`: a candidate may have changed what is kept. */
void hone__gpu_answers_begin(struct hone__gpu_bench *own, bool was_right, bool is_suspect);
/* For sets `first` to `first + count - 1`, from look->set on: see struct hone__engine. */
bool hone__gpu_answers_look(struct hone__trial *trial, size_t index, size_t first, size_t count,
                            enum hone__extent extent, struct hone__look *look);
/* For an unloaded candidate; the memory is kept for the next one. */
void hone__gpu_answers_release(struct hone__trial *trial, size_t index);

#endif
