/*
 * Only types of parameters and names in dependent scopes are rewritten; all else is copied. Both
 * become calls of functions whose names are markers, because a call has any number of operands and
 * adds nothing to the substitutions that later parts of the name refer to by number:
 *
 *     Tn i Li0E               ->  X cl 1TYPED sP i E Li0E 1END E E
 *     sr 3std 1aIiE E 5value  ->  cl 1SCOPE 3std 1INNER 1aIiE 1INNER 5value 1END E
 *
 * sP is the number of some arguments: libiberty reads them and prints one figure. The grammar is
 * that of the Itanium C++ ABI, section 5.1.
 */
#include "names/newer_mangling.h"

#include <stdlib.h>
#include <string.h>

#include "names/mangling_markers.h"
#include "support/copier.h"

#define DEPTH_LIMIT 200u
#define MAX_SIZE    ((size_t)1 << 20) /* of a source name */

static void rewrite_type(wi_copier *c);
static void rewrite_expression(wi_copier *c);
static void rewrite_encoding(wi_copier *c);
static void rewrite_name(wi_copier *c);

static const char digits[] = "0123456789", base_36[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Writes a source name that is not in the input. */
static void put_marker(wi_copier *c, char marker) {
  wi_copier_put(c, (const char[]){'1', marker}, 2);
}

/* Copies digits, if there are any, and "_". */
static void copy_number(wi_copier *c) {
  wi_copier_take_while(c, digits);
  wi_copier_expect(c, "_");
}

/* Copies `part`, which may contain others of its kind. */
static void nest(wi_copier *c, void (*part)(wi_copier *)) {
  if (c->depth++ < DEPTH_LIMIT && *c->at)
    part(c);
  else
    wi_copier_fail(c);
  c->depth--;
}

/* Copies what `part` reads up to an E. */
static void copy_list(wi_copier *c, void (*part)(wi_copier *)) {
  while (*c->at && *c->at != 'E')
    part(c);
  wi_copier_expect(c, "E");
}

/* ---- Names ------------------------------------------------------------------ */

static void copy_source_name(wi_copier *c) {
  char *end;
  unsigned long size = strtoul(c->at, &end, 10);
  if (!wi_copier_is_any(c, digits) || size > MAX_SIZE)
    wi_copier_fail(c);
  else
    wi_copier_take(c, (size_t)(end - c->at) + size);
}

static void copy_tags(wi_copier *c) {
  while (wi_copier_take_if(c, "B"))
    copy_source_name(c);
}

static void rewrite_argument(wi_copier *c);

/* Copies template arguments, if there are any. */
static void rewrite_arguments(wi_copier *c) {
  if (wi_copier_take_if(c, "I"))
    copy_list(c, rewrite_argument);
}

static void copy_parameter(wi_copier *c) {
  wi_copier_expect(c, "T");
  if (wi_copier_take_if(c, "L")) {
    copy_number(c);
  }
  copy_number(c);
}

static void copy_substitution(wi_copier *c) {
  wi_copier_expect(c, "S");
  if (wi_copier_is_any(c, "absiod"))
    wi_copier_take(c, 1);
  else {
    wi_copier_take_while(c, base_36);
    wi_copier_expect(c, "_");
  }
}

/* Copies the types and the number of a lambda, or the number of a type without a name. */
static void rewrite_unnamed(wi_copier *c) {
  wi_copier_expect(c, "U");
  if (wi_copier_take_if(c, "l")) {
    while (wi_copier_is_next(c, "Ty") || wi_copier_is_next(c, "Tn")) {
      bool has_type = c->at[1] == 'n';
      wi_copier_take(c, 2);
      if (has_type)
        rewrite_type(c);
    }
    copy_list(c, rewrite_type);
  } else {
    wi_copier_expect(c, "t");
  }
  copy_number(c);
}

static void rewrite_operator(wi_copier *c) {
  if (wi_copier_take_if(c, "cv"))
    rewrite_type(c);
  else if (wi_copier_take_if(c, "li"))
    copy_source_name(c);
  else if (is_lower(*c->at))
    wi_copier_take(c, 2);
  else
    wi_copier_fail(c);
}

static void rewrite_unqualified(wi_copier *c) {
  wi_copier_take_if(c, "L");
  if (wi_copier_is_any(c, digits))
    copy_source_name(c);
  else if (wi_copier_take_if(c, "CI")) {
    wi_copier_take(c, 1);
    rewrite_type(c);
  } else if (wi_copier_is_any(c, "CD"))
    wi_copier_take(c, 2);
  else if (wi_copier_is_any(c, "U"))
    rewrite_unnamed(c);
  else
    rewrite_operator(c);
  copy_tags(c);
}

static void rewrite_decltype(wi_copier *c) {
  wi_copier_take(c, 2);
  rewrite_expression(c);
  wi_copier_expect(c, "E");
}

static bool is_decltype(const wi_copier *c) {
  return wi_copier_is_next(c, "Dt") || wi_copier_is_next(c, "DT");
}

static void rewrite_prefix(wi_copier *c) {
  if (wi_copier_is_any(c, "I"))
    rewrite_arguments(c);
  else if (wi_copier_is_any(c, "T"))
    copy_parameter(c);
  else if (wi_copier_take_if(c, "St"))
    return;
  else if (wi_copier_is_any(c, "S"))
    copy_substitution(c), copy_tags(c);
  else if (is_decltype(c))
    rewrite_decltype(c);
  else if (!wi_copier_take_if(c, "M"))
    rewrite_unqualified(c);
}

static void copy_discriminator(wi_copier *c) {
  if (wi_copier_take_if(c, "__")) {
    copy_number(c);
  } else if (*c->at == '_' && is_digit(c->at[1])) {
    wi_copier_take(c, 2);
  }
}

static void rewrite_local(wi_copier *c) {
  wi_copier_expect(c, "Z");
  rewrite_encoding(c);
  wi_copier_expect(c, "E");
  if (wi_copier_take_if(c, "d")) {
    copy_number(c);
  }
  if (!wi_copier_take_if(c, "s"))
    rewrite_name(c);
  copy_discriminator(c);
}

static void rewrite_name(wi_copier *c) {
  if (wi_copier_take_if(c, "N")) {
    wi_copier_take_while(c, "rVKRO");
    copy_list(c, rewrite_prefix);
  } else if (wi_copier_is_any(c, "Z")) {
    rewrite_local(c);
  } else {
    if (wi_copier_take_if(c, "St") || !wi_copier_is_any(c, "S"))
      rewrite_unqualified(c);
    else
      copy_substitution(c), copy_tags(c);
    rewrite_arguments(c);
  }
}

/* ---- Types ------------------------------------------------------------------ */

static void rewrite_function(wi_copier *c) {
  wi_copier_take_if(c, "F");
  wi_copier_take_if(c, "Y");
  while (*c->at && !wi_copier_is_any(c, "E") && !wi_copier_is_next(c, "RE") &&
         !wi_copier_is_next(c, "OE"))
    rewrite_type(c);
  wi_copier_take_while(c, "RO");
  wi_copier_expect(c, "E");
}

/* Copies the size of an array or a vector, a number or an expression, and the type after it. */
static void rewrite_sized(wi_copier *c) {
  if (wi_copier_is_any(c, digits))
    wi_copier_take_while(c, digits);
  else if (!wi_copier_is_any(c, "_"))
    rewrite_expression(c);
  wi_copier_expect(c, "_");
  rewrite_type(c);
}

/* Copies a type that begins with D. */
static void rewrite_special(wi_copier *c) {
  if (is_decltype(c)) {
    rewrite_decltype(c);
  } else if (wi_copier_take_if(c, "Dv")) {
    rewrite_sized(c);
  } else if (wi_copier_take_if(c, "Dp") || wi_copier_take_if(c, "Do")) {
    rewrite_type(c);
  } else if (wi_copier_take_if(c, "DO")) {
    rewrite_expression(c);
    wi_copier_expect(c, "E");
    rewrite_type(c);
  } else if (wi_copier_take_if(c, "DF") || wi_copier_take_if(c, "DB") ||
             wi_copier_take_if(c, "DU")) {
    wi_copier_take_while(c, digits);
    if (!wi_copier_take_if(c, "b"))
      wi_copier_expect(c, "_");
  } else {
    wi_copier_take(c, 2);
  }
}

static void rewrite_type_here(wi_copier *c) {
  if (wi_copier_is_any(c, "rVKPROCG")) {
    wi_copier_take(c, 1);
    rewrite_type(c);
  } else if (wi_copier_is_any(c, "M")) {
    wi_copier_take(c, 1);
    rewrite_type(c);
    rewrite_type(c);
  } else if (wi_copier_is_any(c, "F")) {
    rewrite_function(c);
  } else if (wi_copier_take_if(c, "A")) {
    rewrite_sized(c);
  } else if (wi_copier_is_any(c, "D")) {
    rewrite_special(c);
  } else if (wi_copier_is_any(c, "T")) {
    copy_parameter(c);
    rewrite_arguments(c);
  } else if (wi_copier_is_any(c, "U") && c->at[1] != 'l' && c->at[1] != 't') {
    wi_copier_take(c, 1);
    copy_source_name(c);
    rewrite_arguments(c);
    rewrite_type(c);
  } else if (wi_copier_take_if(c, "u")) {
    copy_source_name(c);
  } else if (is_lower(*c->at)) {
    wi_copier_take(c, 1);
  } else {
    rewrite_name(c);
  }
}

static void rewrite_type(wi_copier *c) {
  nest(c, rewrite_type_here);
}

/* ---- Expressions -------------------------------------------------------------- */

static void rewrite_literal(wi_copier *c) {
  wi_copier_expect(c, "L");
  if (wi_copier_take_if(c, "_Z") || wi_copier_take_if(c, "Z")) {
    rewrite_encoding(c);
  } else {
    rewrite_type(c);
    wi_copier_take_while(c, "n0123456789abcdef_");
  }
  wi_copier_expect(c, "E");
}

/* Copies the name of a member, or of what a scope contains. */
static void rewrite_member(wi_copier *c) {
  if (wi_copier_take_if(c, "on"))
    rewrite_operator(c);
  else
    copy_source_name(c);
  rewrite_arguments(c);
}

/* Copies a name in a type, or rewrites one in a scope whose outermost part is a name. */
static void rewrite_scope(wi_copier *c) {
  if (!is_digit(c->at[2])) {
    wi_copier_take(c, 2);
    if (wi_copier_is_any(c, "N"))
      wi_copier_fail(c);
    rewrite_type(c);
    rewrite_member(c);
    return;
  }
  c->at += 2;
  wi_copier_put(c, "cl", 2);
  put_marker(c, WI_MARKER_SCOPE);
  while (*c->at && *c->at != 'E') {
    rewrite_member(c);
    put_marker(c, WI_MARKER_INNER);
  }
  if (*c->at)
    c->at++;
  rewrite_member(c);
  put_marker(c, WI_MARKER_END);
  wi_copier_put(c, "E", 1);
}

static void rewrite_conversion(wi_copier *c) {
  rewrite_type(c);
  if (wi_copier_take_if(c, "_"))
    copy_list(c, rewrite_expression);
  else
    rewrite_expression(c);
}

static void copy_function_parameter(wi_copier *c) {
  if (!wi_copier_take_if(c, "fp")) { /* fL, of a function around this one */
    wi_copier_take(c, 2);
    wi_copier_take_while(c, digits);
    wi_copier_expect(c, "p");
  }
  wi_copier_take_while(c, "rVK");
  wi_copier_take_while(c, digits);
  if (!wi_copier_take_if(c, "T"))
    wi_copier_expect(c, "_");
}

static void rewrite_fold(wi_copier *c) {
  bool is_binary = c->at[1] == 'L' || c->at[1] == 'R';
  wi_copier_take(c, 4);
  rewrite_expression(c);
  if (is_binary)
    rewrite_expression(c);
}

/* What follows an operator: x is an expression, t a type, m a member, * a list up to E. */
static const struct {
  const char *names; /* of two letters each */
  const char *operands;
} operations[] = {
    {"awcodeadngntpsszaztetwspnxsZdldags", "x"},
    {"aNaSaaancmdVdveOeoeqgegtixlSlelsltmImLmimlneoRooorpLplpmrMrSrmrsssds", "xx"},
    {"qu", "xxx"},
    {"ppmm", "_x"},
    {"dtpt", "xm"},
    {"statti", "t"},
    {"ccdcrcsc", "tx"},
    {"clcpil", "*"},
    {"tl", "t*"},
    {"tr", ""},
};

/* Returns the operands of the operator that comes next; NULL if it is unknown. */
static const char *operands_of_next(const wi_copier *c) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    for (const char *name = operations[i].names; *name; name += 2)
      if (strncmp(c->at, name, 2) == 0)
        return operations[i].operands;
  return NULL;
}

static void rewrite_operation(wi_copier *c) {
  const char *operand = operands_of_next(c);
  if (!operand) {
    wi_copier_fail(c);
    return;
  }
  wi_copier_take(c, 2);
  for (; *operand; operand++)
    switch (*operand) {
    case 'x': rewrite_expression(c); break;
    case 't': rewrite_type(c); break;
    case 'm': rewrite_member(c); break;
    case '*': copy_list(c, rewrite_expression); break;
    default: wi_copier_take_if(c, "_"); break;
    }
}

static void rewrite_expression_here(wi_copier *c) {
  bool is_fold = *c->at == 'f' && c->at[1] && strchr("lrLR", c->at[1]);
  if (wi_copier_is_any(c, "L"))
    rewrite_literal(c);
  else if (wi_copier_is_any(c, "T"))
    copy_parameter(c);
  else if (wi_copier_is_next(c, "sr"))
    rewrite_scope(c);
  else if (wi_copier_is_next(c, "fp") || (wi_copier_is_next(c, "fL") && is_digit(c->at[2])))
    copy_function_parameter(c);
  else if (is_fold)
    rewrite_fold(c);
  else if (wi_copier_take_if(c, "cv"))
    rewrite_conversion(c);
  else if (wi_copier_is_any(c, digits) || wi_copier_is_next(c, "on"))
    rewrite_member(c);
  else
    rewrite_operation(c);
}

static void rewrite_expression(wi_copier *c) {
  nest(c, rewrite_expression_here);
}

/* ---- Template arguments --------------------------------------------------------- */

/* Rewrites an argument after the type of its parameter, which follows. */
static void rewrite_typed(wi_copier *c) {
  c->is_changed = true;
  c->at += 2;
  wi_copier_put(c, "Xcl", 3);
  put_marker(c, WI_MARKER_TYPED);
  wi_copier_put(c, "sP", 2);
  rewrite_type(c);
  wi_copier_put(c, "E", 1);
  if (wi_copier_is_any(c, "L")) {
    rewrite_literal(c);
  } else if (wi_copier_is_any(c, "X")) {
    c->at++;
    rewrite_expression(c);
    if (*c->at == 'E')
      c->at++;
    else
      wi_copier_fail(c);
  } else {
    wi_copier_fail(c);
  }
  put_marker(c, WI_MARKER_END);
  wi_copier_put(c, "EE", 2);
}

static void rewrite_argument(wi_copier *c) {
  for (; wi_copier_is_next(c, "Ty"); c->at += 2)
    c->is_changed = true;
  if (wi_copier_is_next(c, "Tn")) {
    rewrite_typed(c);
  } else if (wi_copier_take_if(c, "X")) {
    rewrite_expression(c);
    wi_copier_expect(c, "E");
  } else if (wi_copier_is_any(c, "L")) {
    rewrite_literal(c);
  } else if (wi_copier_take_if(c, "J")) {
    copy_list(c, rewrite_argument);
  } else {
    rewrite_type(c);
  }
}

/* ---- The whole -------------------------------------------------------------------- */

/* Copies a function with the types of its parameters, or a variable. */
static void rewrite_encoding(wi_copier *c) {
  rewrite_name(c);
  while (*c->at && *c->at != 'E' && *c->at != '.')
    rewrite_type(c);
}

bool wi_newer_mangling_rewrite(const char *name, char *to, size_t size) {
  wi_copier copier = {.at = name, .to = to, .room = size};
  for (const char *at = name; *at; at++)
    if ((unsigned char)*at < ' ')
      return false; /* the markers must not be in the name */
  wi_copier_expect(&copier, "_Z");
  rewrite_encoding(&copier);
  wi_copier_take(&copier, strlen(copier.at));
  if (copier.failed || !copier.is_changed)
    return false;
  *copier.to = '\0';
  return true;
}
