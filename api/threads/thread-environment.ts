import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

/**
 * Returns the environment of a thread: the directory of the compile cache (compiled code and stripped types), and no
 * secrets of the process. Without it, every thread starts the type stripper, which takes 15 MiB and most of the start
 * time.
 */
export function threadEnvironment(): NodeJS.ProcessEnv {
  const ofThisNode = getCompileCacheDir();
  return ofThisNode === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(ofThisNode) };
}
