#!/bin/sh
# Bundles a module and its imports into one file, which starts faster and needs no server:
#
#   bundle.sh script|module|function FILE   writes to stdout a script for pages; a module for Node; or, for
#                                           loader.mjs, a script of one function: (require, url, load) => promise
#
# Supports only the syntax that these modules use: imports of names from a relative path or from node:, on one
# or more lines, and `export` before a declaration or a list. The names of different modules do not collide.
# Comments on lines of their own are left out.
set -eu
exec awk -v form="$1" -v entry="$2" '
  function resolved(folder, path) {
    while (path ~ /^\.\.?\//) {
      if (path ~ /^\.\.\//) sub(/\/[^\/]*$/, "", folder)
      sub(/^\.\.?\//, "", path)
    }
    return folder "/" path
  }
  function variable(path) {
    sub(/.*:/, "", path)
    sub(/\.mjs$/, "", path)
    gsub(/.*\/|[^A-Za-z_]/, "", path)
    return path
  }
  function builtin(name, path) {
    if (form == "function") return "const " name " = require(" path ");\n"
    return "import * as " name " from " path ";\n"
  }
  # Returns the variable with the exports that the import statement `text` refers to.
  function source(text, folder,   path) {
    match(text, / from .[^;]*.;$/)
    path = substr(text, RSTART + 7, RLENGTH - 9)
    if (path ~ /^\./) return load(resolved(folder, path))
    if (!(path in builtins)) head = head builtin("node_" variable(path), "\047" path "\047")
    builtins[path] = 1
    return "node_" variable(path)
  }
  function names(text) {
    match(text, /\{.*\}/)
    text = substr(text, RSTART, RLENGTH)
    return text
  }
  # Returns the statement that replaces an import.
  function imported(text, folder,   from, words, all) {
    from = source(text, folder)
    split(text, words, / +/)
    if (words[2] == "*") return "const " words[4] " = " from ";"
    if (words[2] != "{") {
      sub(/,$/, "", words[2])
      all = "const " (form == "function" ? words[2] : "{ default: " words[2] " }") " = " from ";"
    }
    if (text !~ /\{/) return all
    text = names(text)
    gsub(/ as /, ": ", text)
    return all "const " text " = " from ";"
  }
  function export_list(text) {
    text = names(text)
    gsub(/^\{ *|,? *\}$/, "", text)
    exports = exports text ", "
  }
  # Reads a file and its imports; returns the variable with its exports.
  function load(file,   name, folder, line, text, result, words, own) {
    name = "module_" variable(file)
    if (file in loaded) return name
    if (name in taken) {
      print "bundle.sh: two modules are called " name | "cat >&2"
      exit 1
    }
    loaded[file] = taken[name] = 1
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    while ((getline line < file) > 0) {
      if (line ~ /^ *\/\//) continue
      if (line ~ /^ *\/\*/) {
        while (line !~ /\*\/$/ && (getline line < file) > 0);
        continue
      }
      if (line ~ /^(import|export) / && line !~ /^export (async|function|const|class|let) /) {
        while (line !~ /;$/ && (getline text < file) > 0) line = line text
        gsub(/  +/, " ", line)
        # Modules that are loaded meanwhile have their own exports.
        own = exports
        exports = ""
        result = result (line ~ /^import/ ? imported(line, folder) : "") "\n"
        exports = own
        if (line ~ /^export/) export_list(line)
        continue
      }
      if (sub(/^export /, "", line)) {
        split(line, words, /[ (=]+/)
        exports = exports words[words[1] == "async" ? 3 : 2] ", "
      }
      result = result line "\n"
    }
    close(file)
    if (file == entry) {
      body = body result
      return name
    }
    body = body "const " name " = (() => {\n" result "return { " exports "};\n})();\n"
    exports = ""
    return name
  }
  BEGIN {
    load(entry)
    print "/* wasm-perf: see https://www.npmjs.com/package/wasm-perf */"
    if (form == "function") gsub(/import\.meta\.url/, "url", body)
    if (form == "function") gsub(/await import\(/, "await load(", body)
    if (form == "module") printf "%s%s", head, body
    else if (form == "function") printf "(async (require, url, load) => {\n\047use strict\047;\n%s%s})\n", head, body
    else printf "(() => {\n\047use strict\047;\n%s})();\n", body
  }
' </dev/null
