import { type Finding, fine, look } from './check.ts';

const DAY_MS = 86_400_000;
const MAX_AGE_DAYS = 2;

/** Judges the age of the last backup by `trapline backup`. */
export function judgeBackup(last: Date | undefined, now: Date): Finding {
  if (last === undefined)
    return look(
      'none is recorded',
      'run `trapline backup` each day, or ignore this if you back up the stores by other means',
    );
  const days = Math.floor((now.getTime() - last.getTime()) / DAY_MS);
  const found = `${last.toISOString().slice(0, 16)}Z`;
  return days < MAX_AGE_DAYS
    ? fine(found)
    : look(`${found}, ${days} days ago`, 'look at the log of the scheduled backup');
}
