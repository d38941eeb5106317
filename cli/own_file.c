#include "own_file.h"

#include "hone_machine.h"

const char *own_file(void)
{
  static char *file;

  if (!file) file = hone_own_program();
  return file;
}
