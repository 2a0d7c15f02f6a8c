import type { BackgroundState } from '#api/postgres/background/background-states.ts';
import { type Finding, fine, look } from './check.ts';

/**
 * Checks that all background migrations that the next upgrade needs have finished. `names` are those known to this
 * version.
 */
export function judgeBackground(names: readonly string[], states: readonly BackgroundState[]): Finding {
  const waiting = names
    .filter((name) => !states.some((state) => state.name === name))
    .map((name) => `${name}: not started`);
  const running = states.filter(({ finishedAt }) => finishedAt === null).map(progressOf);
  const unfinished = [...waiting, ...running];
  return unfinished.length === 0
    ? fine(`${states.length} finished`)
    : look(
        unfinished.join('; '),
        'wait until they are finished before the next upgrade; a worker must run, and all processes must have one version',
      );
}

function progressOf({ name, changed, total, progressedAt }: BackgroundState): string {
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * changed) / total));
  return `${name}: ${percent} % (${changed} of ${total} rows), last step at ${progressedAt.toISOString()}`;
}
