/* wi_glue_read_script: names of exports from scripts as versions of Emscripten and minifiers write them. */
#include "unit.h"

#include "module/read.h"
#include "symbols/glue.h"

/* Three functions: exports `a`, `b` and `c` of functions 2, 0 and 1, and a memory `d`. */
static const uint8_t MODULE[] = {0, 'a', 's', 'm', 1, 0,   0, 0,    1, 4,   1,    0x60, 0,  0,
                                 3, 4,   3,   0,   0, 0,   5, 3,    1, 0,   1,    7,    17, 4,
                                 1, 'a', 0,   2,   1, 'b', 0, 0,    1, 'c', 0,    1,    1,  'd',
                                 2, 0,   10,  10,  3, 2,   0, 0x0B, 2, 0,   0x0B, 2,    0,  0x0B};

static const char
    *calling; /* the text of the script that compiles the module; NULL: there is none */

static bool read_calling(const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  assert_true(limit > 0);
  if (!calling || strcmp(path, "caller.js") != 0)
    return false;
  *bytes = (uint8_t *)strdup(calling);
  *size = strlen(calling);
  return true;
}

static void read_names(wi_glue *glue, const wi_module *module, const char *script) {
  if (calling)
    assert_true(wi_glue_read(glue, module, "other/app.wasm", "caller.js", read_calling));
  else
    assert_true(wi_glue_read_script(glue, module, script, strlen(script)));
}

static void expect(const char *script, const char *a, const char *b, const char *c) {
  const char *const wanted[] = {b, c, a};
  wi_module module;
  wi_error error;
  wi_glue glue;
  assert_true(wi_module_read(&module, MODULE, sizeof MODULE, &error));
  read_names(&glue, &module, script);
  for (uint32_t i = 0; i < COUNT(wanted); i++) {
    const char *name = wi_glue_find(&glue, i);
    assert_true(!name == !wanted[i]);
    if (name)
      assert_string_equal(name, wanted[i]);
  }
  wi_glue_clear(&glue);
  wi_module_clear(&module);
}

static void test_emscripten(void **state) {
  expect("var _one=Module['_one']=x=>(_one=Module['_one']=wasmExports['a'])(x);"
         "var __two=()=>(__two=wasmExports['b'])(); wasmMemory=wasmExports['d'];",
         "one", "_two", NULL);
  expect("var _one = Module[\"_one\"] = function() {\n"
         "  return (_one = Module[\"_one\"] = Module[\"asm\"][\"c\"]).apply(null, arguments)};",
         NULL, NULL, "one");
  expect("function assign(e){_one=e.a;Module['_two']=_two=e.b;_three=Module['_three']=e['c']}",
         "one", "two", "three");
}

static void test_minified(void **state) {
  expect("k._one=c.a;da=k._two=c.b;k._three=c.c;function q(){return k._one.a+k._two.b}", "one",
         "two", "three");
  expect("d._one=function(a){return(d._one=Y.a)(a)}", "one", NULL, NULL);
  expect("k._p=z.q;k._q=z.r;k._r=z.s;var f=u._malloc=c.a,g=u._free=c.b;", "malloc", "free", NULL);
}

/* The first name of a function is the one that counts. */
static void test_aliases(void **state) {
  expect("m._one=x.a;m._again=x.a;m._two=x.b;", "one", "two", NULL);
}

static void test_others(void **state) {
  expect("m._one=x.a;m._two=x.z;", NULL, NULL, NULL); /* another build's: there is no `z` */
  expect("m._one=x.d;", NULL, NULL, NULL);            /* a memory */
  expect("m._one=x.a();m._two==x.b;m._three=>x.c;m.four=x.a;m.a_=x.a;", NULL, NULL, NULL);
  expect("m._one='x.a';m[_two]=x[b];m['_one]=x.a;m['_two'=x.b;m._=x.c;", NULL, NULL, NULL);
  expect("", NULL, NULL, NULL);
}

/* The script that compiles a module may be a bundle, with the scripts of other modules in it. */
static void test_calling(void **state) {
  calling = "k._one=c.a;k._two=c.b;k._three=c.c;WebAssembly.instantiate(bytes)";
  expect("", "one", "two", "three");
  calling = "k._one=c.a;k._two=c.b;k._three=c.c;k._x=e.x;k._y=e.y;k._z=e.z";
  expect("", "one", "two", "three");
  calling = "k._one=c.a;k._two=c.b;k._three=c.c;k._x=e.a;k._y=e.b;k._z=e.c";
  expect("", NULL, NULL, NULL);
  calling = "k._one=c.a;k._two=c.b;k._three=c.c;function other(){k._x=c.a}";
  expect("", NULL, NULL, NULL);
  calling = NULL;
}

/* No script makes it read beyond the end. */
static void test_cut(void **state) {
  static const char script[] = "_a=M['_a']=x['a'];M[\"_b\"] = x . b;_=_c=x.c";
  wi_module module;
  wi_error error;
  assert_true(wi_module_read(&module, MODULE, sizeof MODULE, &error));
  for (size_t size = 0; size < sizeof script; size++) {
    char *copy = malloc(size + 1);
    wi_glue glue;
    memcpy(copy, script, size);
    copy = realloc(copy, size > 0 ? size : 1);
    assert_true(wi_glue_read_script(&glue, &module, copy, size));
    wi_glue_clear(&glue);
    free(copy);
  }
  wi_module_clear(&module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_emscripten), cmocka_unit_test(test_minified),
      cmocka_unit_test(test_aliases),    cmocka_unit_test(test_others),
      cmocka_unit_test(test_calling),    cmocka_unit_test(test_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
