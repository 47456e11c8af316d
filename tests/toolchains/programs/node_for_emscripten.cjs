// Glue of Emscripten before 3.1.19 takes a Node that has fetch for a browser, and its ES modules use
// what only CommonJS has.
delete globalThis.fetch;
globalThis.require = require;
globalThis.__dirname = process.cwd();
