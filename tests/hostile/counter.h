/*
 * How much work an input makes, counted and not timed: basic blocks of our code that are executed,
 * and bytes that it has moved or searched, so that a doubled input can be held to doubled work on
 * any machine.
 */
#ifndef WI_TESTS_HOSTILE_COUNTER_H_
#define WI_TESTS_HOSTILE_COUNTER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Gives the module to the rewriter; words in `how` say in which way: "instructions", "embed",
 * "host", "list", "select", "memory", "lines", "guest"; "symbols" alone
 * reads what reports ask of it. *done becomes whether it was taken; it makes work also where it is
 * not.
 */
uint64_t counted_work(const char *how, const uint8_t *bytes, size_t size, bool *done);

#endif /* WI_TESTS_HOSTILE_COUNTER_H_ */
