/** The profile of a page, from the moment on that the script ran. */
export interface PageProfile {
  /** The names of the modules that are profiled. */
  readonly moduleNames: string[];
  readonly isStopped: boolean;
  /** All calls so far. */
  countCalls(): bigint;
  /** Begins anew, from zero. */
  start(): void;
  /** Keeps the profiles as they are now. */
  stop(): void;
  /** A .wperf file of each module. */
  profiles(): { name: string; bytes: Uint8Array }[];
  /** The same of the page and the workers that load the script. */
  collect(): Promise<{ name: string; bytes: Uint8Array }[]>;
  /** Calls of all of them; those that do not answer count as they did last. */
  countAll(): Promise<{ calls: bigint; lateCount: number }>;
  startAll(): Promise<void>;
  stopAll(): Promise<void>;
  /** The report of a profile; `format` as of `wasm-perf report`, by default 'html'. */
  report(profile: { name: string; bytes: Uint8Array }, format?: string): Uint8Array;
  /** Takes the patch off WebAssembly. */
  uninstall(): void;
}

/** The same as the global `wasmPerf`. */
export const wasmPerf: PageProfile;

declare global {
  var wasmPerf: PageProfile;
}
