import type { InstrumentOptions } from '../package/options.js';

export interface VitePluginOptions extends InstrumentOptions {
  /** A pattern for the names of the modules to profile; default: all. */
  module?: string;
  /** 'off' hides the panel. */
  panel?: 'off';
  /** Whether production builds are profiled, too. */
  build?: boolean;
}

/** A Vite plugin that adds the browser script to pages. */
export default function wasmPerf(options?: VitePluginOptions): {
  name: string;
  transformIndexHtml(): { tag: string; attrs: Record<string, string>; injectTo: 'head-prepend' }[];
};
