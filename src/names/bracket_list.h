/* Lists in brackets within names: arguments, template arguments, receivers. */
#ifndef WI_NAMES_BRACKET_LIST_H_
#define WI_NAMES_BRACKET_LIST_H_

/*
 * Returns the end of the list that begins at `at` with '(', '<' or '['; NULL: it is not closed, or
 * nests too deeply. The '>' of "->" closes nothing. A whole name takes linear time.
 */
const char *wi_bracket_list_end(const char *at);

#endif /* WI_NAMES_BRACKET_LIST_H_ */
