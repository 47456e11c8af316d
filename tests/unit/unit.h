/* What unit tests include first: cmocka and the headers that it needs. */
#ifndef WI_TESTS_UNIT_H_
#define WI_TESTS_UNIT_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif /* WI_TESTS_UNIT_H_ */
