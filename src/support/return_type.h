/* Readable names of C++, in which the return type of a template's function comes first. */
#ifndef WI_SUPPORT_RETURN_TYPE_H_
#define WI_SUPPORT_RETURN_TYPE_H_

/*
 * The name without its return type, which is a part of `name`: "fill<int>(int*)" of "void fill<int>(int*)". Linkers write
 * such names into modules. `name` itself where it has none.
 */
const char *wi_skip_return_type(const char *name);

#endif /* WI_SUPPORT_RETURN_TYPE_H_ */
