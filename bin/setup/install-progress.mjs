import { existsSync } from 'node:fs';
import { join } from 'node:path';

const EVERY_MS = 1000;
const LINE_PERCENT = 10;

/** Formats `installed 37 % (275 of 743 packages)`. @type {(done: number, total: number) => string} */
export function installText(done, total) {
  return `installed ${Math.floor((100 * done) / total)} % (${done} of ${total} packages)`;
}

/**
 * Reports the percentage of unpacked packages: on a terminal in one changing line, otherwise one line per 10 %.
 * `packages` are their folders. Resolves to the result of `work`.
 * @template T
 * @param {{ isTTY?: boolean, write(text: string): unknown }} stream
 * @param {{ root: string, packages: readonly string[], everyMs?: number }} of
 * @param {() => Promise<T>} work
 */
export async function withInstallProgress(stream, { root, packages, everyMs = EVERY_MS }, work) {
  let shownPercent = 0;
  const show = () => {
    const done = packages.filter((path) => existsSync(join(root, path, 'package.json'))).length;
    const percent = (100 * done) / packages.length;
    if (stream.isTTY) stream.write(`\r\x1b[Ktrapline: ${installText(done, packages.length)}`);
    else if (percent >= shownPercent + LINE_PERCENT) {
      shownPercent = percent - (percent % LINE_PERCENT);
      stream.write(`trapline: ${installText(done, packages.length)}\n`);
    }
  };
  const timer = packages.length > 0 ? setInterval(show, everyMs) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (timer !== undefined && stream.isTTY) stream.write('\r\x1b[K');
  }
}
