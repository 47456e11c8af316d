import type { InstrumentOptions } from '../package/options.js';

export interface VitePluginOptions extends InstrumentOptions {
  /** A pattern for the names of the modules to profile; default: all. */
  module?: string;
  /** 'off' leaves the panel out. */
  panel?: 'off';
  /** Whether what is built for others is profiled, too. */
  build?: boolean;
}

/** A plugin for Vite that puts the browser script into pages. */
export default function wasmPerf(options?: VitePluginOptions): {
  name: string;
  transformIndexHtml(): { tag: string; attrs: Record<string, string>; injectTo: 'head-prepend' }[];
};
