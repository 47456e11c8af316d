// Runs commands as if on another machine: on another day, with one processor, under another host name.
import { spawnSync } from 'node:child_process';

/** Each source of differences: the words in front of a command that change it. */
const SOURCES = {
  // The clock by which threads wait for each other stays.
  day: ['faketime', '-m', '--exclude-monotonic', '2031-03-04 05:06:07'],
  processors: ['taskset', '-c', '0'],
  'host name': ['unshare', '--uts', 'sh', '-c', 'hostname elsewhere && exec "$@"', 'sh'],
};

/**
 * The words to put in front of a command, and the sources that this machine does not permit to change. `options` are
 * spawnSync's, such as the user.
 */
export function findElsewhere(options = {}) {
  const isPermitted = ([first, ...rest]) => spawnSync(first, [...rest, 'true'], options).status === 0;
  const sources = Object.entries(SOURCES).map(([name, words]) => ({ name, words, isPermitted: isPermitted(words) }));
  return {
    words: sources.filter((source) => source.isPermitted).flatMap(({ words }) => words),
    notVaried: sources.filter((source) => !source.isPermitted).map(({ name }) => name),
  };
}
