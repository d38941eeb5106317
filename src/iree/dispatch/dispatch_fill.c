/* A binding is filled by a block of values that is written once, begins at another place of the
 * block for each binding, and is doubled by copies on the device until the binding is full. Only
 * one block for each type is in the module. */
#include "iree/dispatch/dispatch_dump.h"

#include "iree/dispatch/dispatch_element.h"

#include <stdio.h>
#include <stdlib.h>

/* IREE's local-task driver takes no command that is longer than 2040 bytes. */
enum { ROTATION_BYTES = 8 * 509, UPDATE_BYTES = 1024 };

struct writer {
  const struct hone__mlir *mlir;
  struct hone__text *text;
  unsigned numbers; /* constants so far */
};

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* ---- Pieces of text ---- */

/* %nN = 42, whose N is given back */
static unsigned add_number(struct writer *writer, size_t value)
{
  hone__text_addf(writer->text, "    %%n%u = arith.constant %zu : index\n", writer->numbers, value);
  return writer->numbers++;
}

/* As the dump itself does it: which device, by which name. */
static void add_device(struct writer *writer, const struct hone__mlir_op *initializer)
{
  const struct hone__mlir_op *op = hone__mlir_find(initializer, "hal.device.resolve");
  const char *begin = writer->mlir->text + op->span.begin, *words = strstr(begin, op->name);
  const char *end = writer->mlir->text + op->span.end;

  hone__text_add(writer->text, "    %device, %queue_affinity = ");
  if (words && words < end) hone__text_addn(writer->text, words, (size_t)(end - words));
  hone__text_add(writer->text, "\n");
}

static void add_block(struct writer *writer, const struct hone__iree_element *element,
                      unsigned number, uint64_t seed)
{
  static const char digits[] = "0123456789ABCDEF";
  size_t size = hone__iree_element_block(element);
  unsigned char *bytes = hone__alloc(size);
  char *hex = hone__alloc(2 * size + 1);

  hone__iree_element_fill(element, seed, bytes);
  for (size_t i = 0; i < size; i++) {
    hex[2 * i] = digits[bytes[i] >> 4];
    hex[2 * i + 1] = digits[bytes[i] & 15];
  }
  hone__text_addf(writer->text,
                  "    %%block%u = util.buffer.constant : !util.buffer = dense<\"0x%s\"> : "
                  "tensor<%zuxi8>\n    %%size%u = arith.constant %zu : index\n",
                  number, hex, size, number, size);
  free(hex);
  free(bytes);
}

static void add_barrier(struct writer *writer)
{
  hone__text_add(writer->text,
                 "    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> "
                 "source(\"Transfer|CommandRetire\") target(\"CommandIssue|Transfer\") "
                 "flags(\"None\")\n");
}

static void add_command(struct writer *writer, unsigned block, size_t from, size_t to, size_t size)
{
  unsigned source = add_number(writer, from), target = add_number(writer, to),
           length = add_number(writer, size);

  hone__text_addf(writer->text,
                  "    hal.command_buffer.update_buffer<%%cmd : !hal.command_buffer> "
                  "source(%%block%u : !util.buffer{%%size%u})[%%n%u] target(%%buffer : "
                  "!hal.buffer)[%%n%u] length(%%n%u) flags(\"None\")\n",
                  block, block, source, target, length);
}

static void add_update(struct writer *writer, unsigned block, size_t from, size_t to, size_t size)
{
  for (size_t done = 0; done < size; done += UPDATE_BYTES)
    add_command(writer, block, from + done, to + done, smaller(size - done, UPDATE_BYTES));
}

static void add_copy(struct writer *writer, size_t from, size_t to, size_t size)
{
  unsigned source = add_number(writer, from), target = add_number(writer, to),
           length = add_number(writer, size);

  hone__text_addf(writer->text,
                  "    hal.command_buffer.copy_buffer<%%cmd : !hal.command_buffer> "
                  "source(%%buffer : !hal.buffer)[%%n%u] target(%%buffer : !hal.buffer)[%%n%u] "
                  "length(%%n%u) flags(\"None\")\n",
                  source, target, length);
}

/* ---- A binding ---- */

static void fill_binding(struct writer *writer, const struct hone__iree_binding *binding,
                         size_t number, unsigned block)
{
  size_t size = hone__iree_element_block(hone__iree_element(binding->element));
  size_t turn = number * ROTATION_BYTES % size, done = smaller(size - turn, binding->size), part;

  add_update(writer, block, turn, binding->offset, done);
  part = smaller(turn, binding->size - done);
  if (part) add_update(writer, block, 0, binding->offset + done, part);
  for (done += part; done < binding->size; done += part) {
    add_barrier(writer);
    part = smaller(done, binding->size - done);
    add_copy(writer, binding->offset, binding->offset + done, part);
  }
}

/* Which block a binding takes: that of the first binding with its element. */
static unsigned block_of(const struct hone__dispatch_use *use, size_t number)
{
  unsigned i = 0;

  while (strcmp(use->bindings[i].element, use->bindings[number].element) != 0)
    i++;
  return i;
}

/* ---- The functions ---- */

void hone__dispatch_fill_name(size_t number, struct hone__text *text)
{
  hone__text_add(text, "@hone_fill");
  if (number) hone__text_addf(text, "_%zu", number);
}

void hone__dispatch_write_fill(const struct hone__mlir *mlir, const struct hone__dispatch_use *use,
                               size_t number, uint64_t seed, struct hone__text *text)
{
  struct writer writer = {.mlir = mlir, .text = text};

  hone__text_add(text, "\n  util.func private ");
  hone__dispatch_fill_name(number, text);
  hone__text_add(text, "(%buffer: !hal.buffer) {\n");
  add_device(&writer, use->initializer);
  hone__text_add(text, "    %cmd = hal.command_buffer.create device(%device : !hal.device) "
                       "mode(\"OneShot|AllowInlineExecution\") categories(Transfer) "
                       "affinity(%queue_affinity) : !hal.command_buffer\n");
  for (size_t i = 0; i < use->binding_count; i++)
    if (block_of(use, i) == i)
      add_block(&writer, hone__iree_element(use->bindings[i].element), (unsigned)i, seed);
  for (size_t i = 0; i < use->binding_count; i++)
    fill_binding(&writer, &use->bindings[i], i, block_of(use, i));
  hone__text_add(
      text,
      "    hal.command_buffer.finalize<%cmd : !hal.command_buffer>\n"
      "    %none = util.null : !hal.fence\n"
      "    %fence = hal.fence.create device(%device : !hal.device) flags(\"None\") : !hal.fence\n"
      "    hal.device.queue.execute<%device : !hal.device> affinity(%queue_affinity) wait(%none) "
      "signal(%fence) commands(%cmd) flags(\"None\")\n"
      "    %forever = arith.constant -1 : i32\n"
      "    %status = hal.fence.await until([%fence]) timeout_millis(%forever) flags(\"None\") : "
      "i32\n"
      "    util.status.check_ok %status, \"failed to fill the buffer\"\n"
      "    util.return\n  }");
}

/* With quotes if its name needs them. */
static void add_symbol(struct hone__text *text, const char *name)
{
  const struct hone__mlir_attr symbol = {.kind = HONE__MLIR_SYMBOL, .text = name};

  hone__mlir_print_attr(&symbol, text);
}

/* The same buffer, filled anew: what the dispatch did to it before does not matter. */
void hone__dispatch_write_answer(const struct hone__dispatch_use *use, struct hone__text *text)
{
  hone__text_add(text, "\n  util.func public @hone_answer() -> !hal.buffer_view attributes "
                       "{iree.abi.stub} {\n"
                       "    %buffer = util.global.load ");
  add_symbol(text, use->buffer);
  hone__text_add(text, " : !hal.buffer\n"
                       "    util.call @hone_fill(%buffer) : (!hal.buffer) -> ()\n"
                       "    %once = arith.constant 1 : i32\n"
                       "    util.call ");
  add_symbol(text, use->function->symbol);
  hone__text_add(text, "(%once) : (i32) -> ()\n");
  hone__text_addf(text,
                  "    %%begin = arith.constant 0 : index\n"
                  "    %%bytes = arith.constant %zu : index\n"
                  "    %%type = hal.element_type<i8> : i32\n"
                  "    %%encoding = hal.encoding_type<dense_row_major> : i32\n"
                  "    %%view = hal.buffer_view.create buffer(%%buffer : !hal.buffer)[%%begin, "
                  "%%bytes] shape([%%bytes]) type(%%type) encoding(%%encoding) : !hal.buffer_view\n"
                  "    util.return %%view : !hal.buffer_view\n  }",
                  use->buffer_size);
}
