import type { InstrumentOptions as CommandOptions } from './options.js';

export interface InstrumentOptions extends Omit<CommandOptions, 'names'> {
  /** Files that name functions without a name: other builds (~name), symbol maps, Emscripten's JavaScript. */
  names?: BufferSource | BufferSource[];
  /** The name of the module's file, which profiles tell; default: 'module.wasm'. */
  name?: string;
  /** JavaScript beside that file, by its name: that of Emscripten, such as module.mjs, names exports. */
  scripts?: Record<string, Uint8Array>;
  /** The name of the one of `scripts` that compiles the module, which may name exports, too. */
  caller?: string;
}

/** Bytes that every function which wants a BufferSource takes, whatever the version of TypeScript. */
export type Bytes = Uint8Array & BufferSource;

export interface Instrumented {
  /** The new module. */
  bytes: Bytes;
  /** What was dropped or looks wrong, a line each. */
  warnings: string[];
}

/** A module that cannot be instrumented; the message says where and why. */
export class InstrumentError extends Error {}

/**
 * Instruments a module: the bytes are those that the command `wasm-instrument` makes with the same
 * options. In the main thread of a page call `ready` first, or `instrumentAsync`.
 *
 * @throws {InstrumentError} where the module is no good
 * @throws {TypeError} where an option is
 */
export function instrument(bytes: BufferSource, options?: InstrumentOptions): Instrumented;

/** The same as `instrument`, wherever it runs. */
export function instrumentAsync(bytes: BufferSource, options?: InstrumentOptions): Promise<Instrumented>;

export interface ReportOptions {
  /** As of `wasm-perf report --format`; default: 'html'. */
  format?: string;
  /** What the report calls the profile; default: 'profile.wperf'. */
  title?: string;
}

/** Shows a profile: what `wasm-perf report` writes. `profile` are the bytes of a .wperf file. */
export function report(profile: Uint8Array, options?: ReportOptions): Bytes;

/** The same as `report`, wherever it runs. */
export function reportAsync(profile: Uint8Array, options?: ReportOptions): Promise<Bytes>;

/** Loads what the functions without a promise need, where files cannot be read at once. */
export function ready(): Promise<void>;
