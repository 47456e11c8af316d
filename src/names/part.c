#include "names/part.h"

#include <stdbool.h>
#include <string.h>

#include "names/bracket_list.h"

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Skips what C++ writes before a name: the return type, "virtual thunk to". */
static const char *skip_return_type(const char *name) {
  const char *start = name;
  unsigned nesting = 0;
  for (const char *at = name; *at != 0; at++) {
    if (*at == '(' || *at == '<') {
      nesting++;
    } else if ((*at == ')' || *at == '>') && nesting > 0) {
      nesting--;
    } else if (*at == ' ' && nesting == 0) {
      bool is_operator = at - start >= 8 && memcmp(at - 8, "operator", 8) == 0;
      if (is_operator || starts_with(at, " const") || starts_with(at, " ["))
        break;
      start = at + 1;
    }
  }
  return start;
}

/*
 * Size of a Go package or AssemblyScript file: up to the last '/', and from there to a '.' if any.
 */
static size_t path_size(const char *name) {
  size_t end = strcspn(name, "<(");
  size_t slash = 0;
  for (size_t i = 0; i < end; i++)
    slash = name[i] == '/' ? i : slash;
  size_t dot = slash + strcspn(name + slash, ".<(");
  return slash > 0 && name[dot] == '.' ? dot : slash;
}

/*
 * Size of a package whose name begins with a domain, as in Kotlin and Scala: "com.acme" of
 * com.acme.Order.total. 0 if there is none. io and net are packages of Go.
 */
static size_t domain_size(const char *name) {
  static const char *const domains[] = {"com.", "dev.", "edu.", "gov.", "org."};
  for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
    if (starts_with(name, domains[i])) {
      size_t start = strlen(domains[i]);
      size_t size = strspn(name + start, "abcdefghijklmnopqrstuvwxyz0123456789_");
      return size > 0 && name[start + size] == '.' ? start + size : 0;
    }
  return 0;
}

/*
 * Size of a package of Go whose path a linker wrote with '_': github.com_owner_package of
 * github.com_owner_package.run. 0 if there is none.
 */
static size_t linked_package_size(const char *name) {
  static const char *const domains[] = {".com_", ".dev_", ".io_", ".net_", ".org_"};
  size_t host = strcspn(name, "./:<(");
  for (size_t i = 0; host > 0 && i < sizeof domains / sizeof *domains; i++)
    if (starts_with(name + host, domains[i])) {
      size_t size = host + 1 + strcspn(name + host + 1, ".:<(");
      return name[size] == '.' ? size : 0;
    }
  return 0;
}

/* A C name's prefix: "lua" of lua_pushnil, "sqlite3" of sqlite3BtreeOpen. */
static size_t prefix_size(const char *name) {
  size_t start = strspn(name, "_");
  size_t size = strspn(name + start, "abcdefghijklmnopqrstuvwxyz0123456789");
  return size == 0 ? strcspn(name, "<(") : start + size;
}

/*
 * Size of the word, or of the marks, in front of a path: "<&", "mut " of Rust, or C++'s unnamed
 * namespace. 0 if there is none.
 */
static size_t leading_size(const char *name) {
  static const char *const words[] = {"(anonymous namespace)::", "mut ", "const ", "dyn "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (starts_with(name, words[i]))
      return strlen(words[i]);
  return strspn(name, "<(&*");
}

static const char *skip_words(const char *name) {
  for (size_t size; (size = leading_size(name)) > 0;)
    name += size;
  return name;
}

/*
 * What Rust's <crate::Type as crate::Trait>::method belongs to: the type, or the trait if the type
 * has no crate, as u32.
 */
static const char *owner_of(const char *name) {
  const char *type = skip_words(name), *trait = strstr(type, " as ");
  size_t end = strcspn(type, ":<> ");
  return name[0] == '<' && trait == type + end ? trait + strlen(" as ") : type;
}

const char *wi_name_qualifier(const char *name, size_t *size) {
  name = owner_of(skip_return_type(name));
  *size = path_size(name);
  if (*size == 0)
    *size = linked_package_size(name);
  if (*size == 0)
    *size = domain_size(name);
  if (*size == 0) {
    size_t end = strcspn(name, ":.<( ");
    bool is_qualified = name[end] == '.' || name[end] == '<' || starts_with(name + end, "::");
    *size = is_qualified ? end : 0;
  }
  return name;
}

const char *wi_name_part(const char *name, size_t *size) {
  name = wi_name_qualifier(name, size);
  if (*size == 0)
    *size = prefix_size(name);
  return name;
}

static const char *skip_list(const char *at) {
  const char *end = *at == '<' ? wi_bracket_list_end(at) : NULL;
  return end ? end : at;
}

size_t wi_name_inner_qualifier(const char *name, char *text) {
  bool is_type = *skip_return_type(name) == '<'; /* <crate::Type as Trait>: the last part, too */
  size_t size;
  const char *outer = wi_name_qualifier(name, &size), *at = skip_list(outer + size);
  memcpy(text, outer, size);
  text[size] = 0;
  if (size == 0 || !starts_with(at, "::"))
    return size;
  at = skip_words(at + 2);
  size_t inner_size = strcspn(at, ":.<( >");
  const char *end = skip_list(at + inner_size);
  bool is_qualifier = starts_with(end, "::") || (is_type && (*end == '>' || *end == ' '));
  if (inner_size == 0 || !is_qualifier)
    return size;
  memcpy(text + size, "::", 2);
  memcpy(text + size + 2, at, inner_size);
  size += 2 + inner_size;
  text[size] = 0;
  return size;
}
