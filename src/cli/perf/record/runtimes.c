/* Makes Node.js, Bun and Deno load js/node/register.mjs before a program. */
#define _GNU_SOURCE /* realpath */

#include "cli/perf/record/runtimes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/path.h"

static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

static bool is_runtime(char *const *words, const char *name) {
  return strcmp(wi_path_name(words[0]), name) == 0;
}

/* The folder with symbolic links resolved, if it exists. The caller frees it. */
static char *real_folder(const char *folder) {
  char *real = realpath(folder, NULL);
  return real ? real : cli_text("%s", folder);
}

/*
 * Percent-encodes all characters of the path but the plain ones. The caller frees it; NULL if memory
 * ran out.
 */
static char *encode(const char *path) {
  size_t size = 0;
  char *encoded = malloc(strlen(path) * 3 + 1);
  for (const char *at = path; encoded && *at; at++)
    if (strchr(plain, *at))
      encoded[size++] = *at;
    else
      size += (size_t)sprintf(encoded + size, "%%%02X", (unsigned char)*at);
  if (encoded)
    encoded[size] = '\0';
  return encoded;
}

/*
 * The URL of js/node/register.mjs in the folder. Percent-encoding also protects it in NODE_OPTIONS,
 * which Node.js splits at spaces and where it interprets quotes and backslashes. The caller frees
 * it.
 */
static char *register_url(const char *folder) {
  char *encoded = encode(folder);
  char *url = encoded ? cli_text("file://%s/js/bundle/register.mjs", encoded) : NULL;
  free(encoded);
  return url;
}

/* Appends the option to the environment variable, unless an earlier run has. */
static bool add_to_variable(const char *name, const char *option) {
  const char *given = cli_variable(name);
  if (given && cli_ends_with(given, option))
    return true;
  char *options = cli_text("%s%s%s", given ? given : "", given ? " " : "", option);
  bool done = setenv(name, options, 1) == 0;
  free(options);
  return done;
}

bool cli_runtimes_set_environment(const char *share_folder) {
  char *share = real_folder(share_folder);
  char *url = register_url(share);
  char *node = cli_text("--import=%s", url ? url : "");
  char *bun = cli_text("\"--preload=%s/js/bundle/register.mjs\"", share); /* no escapes there */
  bool done = url && add_to_variable("NODE_OPTIONS", node) && add_to_variable("BUN_OPTIONS", bun);
  free(bun);
  free(node);
  free(url);
  free(share);
  return done;
}

/* ---- Node.js ---------------------------------------------------------------- */

/* Whether the next word is the value of this option of Node.js. */
static bool takes_word(const char *option) {
  static const char *const names[] = {"-r",       "--require",    "--import",
                                      "-C",       "--conditions", "--experimental-loader",
                                      "--loader", "--env-file",   NULL};
  size_t i = 0;
  while (names[i] && strcmp(option, names[i]) != 0)
    i++;
  return names[i] != NULL;
}

static bool is_permission(const char *option) {
  return strcmp(option, "--permission") == 0 || strcmp(option, "--experimental-permission") == 0;
}

/* Whether the command runs Node.js with its permission model. */
static bool asks_for_permissions(char *const *words) {
  if (!is_runtime(words, "node"))
    return false;
  const char *node_options = cli_variable("NODE_OPTIONS");
  if (node_options && strstr(node_options, "--permission"))
    return true;
  for (char *const *word = words + 1; *word && **word == '-'; word++)
    if (is_permission(*word))
      return true;
    else if (takes_word(*word) && word[1])
      word++;
  return false;
}

static void add_permissions(cli_list *list, const char *folder, const char *share_folder) {
  /* js/node/rewriter.mjs looks for wasm-instrument in the last two. */
  static const char *const readable[] = {"js/*", "wasm-instrument", "../../bin/wasm-instrument"};
  char *share = real_folder(share_folder);
  for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
    cli_list_add(list, cli_text("--allow-fs-read=%s/%s", share, readable[i]));
  cli_list_add(list, cli_text("--allow-fs-read=%s/*", folder));
  cli_list_add(list, cli_text("--allow-fs-write=%s/*", folder));
  free(share);
}

/* ---- Deno ---------------------------------------------------------------- */

/* Whether it is a command of Deno that runs a program on its command line. */
static bool runs_program(const char *command) {
  static const char *const names[] = {"run", "test", "bench", "serve", "eval", NULL};
  size_t i = 0;
  while (names[i] && strcmp(command, names[i]) != 0)
    i++;
  return names[i] != NULL;
}

/* Whether the command has Deno run a program; "run" may be omitted. */
static bool is_deno_program(char *const *words) {
  return is_runtime(words, "deno") && words[1] &&
         (runs_program(words[1]) || strpbrk(words[1], "-./"));
}

bool cli_runtimes_permit(char *const *words, cli_failure *failure) {
  if (!is_deno_program(words) || strcmp(words[1], "eval") == 0) /* which may do anything */
    return true;
  for (char *const *word = words + 1; *word && strcmp(*word, "--") != 0; word++)
    if (strcmp(*word, "--allow-all") == 0 ||
        (word[0][0] == '-' && strspn(*word + 1, "-") == 0 && strchr(*word, 'A')))
      return true;
  return cli_fail(failure, "deno", "its permissions prevent profiling: add -A");
}

/*
 * Deno has no environment variable for preloading, so the option is added to the command, and child
 * processes do not inherit it. Returns how many words of the command were added before it.
 */
static size_t add_deno_words(cli_list *list, char *const *words, const char *share_folder) {
  size_t count = runs_program(words[1]);
  char *share = real_folder(share_folder), *url = register_url(share);
  if (count > 0)
    cli_list_add(list, cli_text("%s", words[1]));
  if (url)
    cli_list_add(list, cli_text("--preload=%s", url));
  free(url);
  free(share);
  return count;
}

/* ---- All ----------------------------------------------------------------- */

void cli_runtimes_add_words(cli_list *list, char *const *words, const char *folder,
                            const char *share_folder) {
  size_t count = 1;
  cli_list_add(list, cli_text("%s", words[0]));
  if (asks_for_permissions(words))
    add_permissions(list, folder, share_folder);
  if (is_deno_program(words))
    count += add_deno_words(list, words, share_folder);
  for (char *const *word = words + count; *word; word++)
    cli_list_add(list, cli_text("%s", *word));
}
