import type { ReportedProcess } from '#api/telemetry/processes/process-reports.ts';
import { type Finding, fine, look, wrong } from '../check.ts';

/** A process reports once a minute. */
const SILENT_SECONDS = 180;
const MAX_SKEW_MS = 2_000;
const MIN_FREE_SHARE = 0.1;

/** Lists the running processes by their reports. */
export function judgeProcesses(reports: readonly ReportedProcess[]): Finding {
  const silent = reports.filter(({ silentSeconds }) => silentSeconds > SILENT_SECONDS);
  const running = stillRunning(reports);
  const roles = Object.entries(Object.groupBy(running, ({ role }) => role));
  const found = roles.map(([role, all]) => `${all?.length ?? 0} ${role}`).join(', ') || 'none reports';
  if (running.length === 0)
    return look(found, 'start them; ingest reports only with DATABASE_URL, and processes of earlier versions do not');
  return silent.length === 0
    ? fine(found)
    : look(
        `${found}; silent: ${silent.map(silence).join(', ')}`,
        'these were killed, hang, or cannot reach PostgreSQL: check their machines',
      );
}

/** Checks that all processes have the same version. */
export function judgeVersions(reports: readonly ReportedProcess[], own: string): Finding {
  const running = stillRunning(reports);
  const versions = [...new Set([own, ...running.map(({ version }) => version)])].sort();
  if (versions.length === 1) return fine(own);
  const others = running.filter(({ version }) => version !== own).map((one) => `${nameOf(one)} has ${one.version}`);
  return look(
    `${versions.join(', ')}: this command has ${own}, ${others.join(', ')}`,
    'fine during an upgrade: otherwise install one version everywhere',
  );
}

/** Checks that the clocks of the processes and of PostgreSQL agree. */
export function judgeClocks(reports: readonly ReportedProcess[]): Finding {
  const running = stillRunning(reports);
  if (running.length === 0) return fine('no process reports');
  const skews = running.map(({ clockSkewMs }) => clockSkewMs);
  const spread = Math.max(0, ...skews) - Math.min(0, ...skews);
  const found = `${(spread / 1000).toFixed(1)} s apart at most`;
  if (spread <= MAX_SKEW_MS) return fine(found);
  const far = running.filter(({ clockSkewMs }) => Math.abs(clockSkewMs) > MAX_SKEW_MS);
  const names = far.map((one) => `${nameOf(one)} by ${(one.clockSkewMs / 1000).toFixed(1)} s`).join(', ');
  return look(
    names === '' ? found : `${found}: ${names} from PostgreSQL`,
    'let all machines keep time by NTP: leases, sessions and receipt times go by their clocks',
  );
}

/** Checks that all processes sign and encrypt with the secrets that the database is used with. */
export function judgeSecrets(reports: readonly ReportedProcess[]): Finding {
  const running = stillRunning(reports);
  const pick = (state: string) =>
    running.flatMap((one) =>
      Object.entries(one.secrets).flatMap(([name, found]) => (found === state ? [`${name} of ${nameOf(one)}`] : [])),
    );
  const different = pick('different');
  if (different.length > 0)
    return wrong(`differ: ${different.join(', ')}`, 'set the value of the other processes and restart these');
  const older = pick('older');
  return older.length > 0
    ? look(`being replaced: ${older.join(', ')}`, 'restart these with the new value first in the list')
    : fine(`the same in all of ${running.filter(({ secrets }) => Object.keys(secrets).length > 0).length}`);
}

/** Checks the free space of the data directories' disks. */
export function judgeDisks(reports: readonly ReportedProcess[]): Finding {
  const known = stillRunning(reports).flatMap((one) =>
    one.freeDiskShare === null ? [] : [{ name: nameOf(one), free: one.freeDiskShare }],
  );
  if (known.length === 0) return fine('no process reports a data directory');
  const found = known.map(({ name, free }) => `${name} ${Math.round(free * 100)} % free`).join(', ');
  return known.every(({ free }) => free >= MIN_FREE_SHARE) ? fine(found) : look(found, 'make room on these machines');
}

function stillRunning(reports: readonly ReportedProcess[]): ReportedProcess[] {
  return reports.filter(({ silentSeconds }) => silentSeconds <= SILENT_SECONDS);
}

function nameOf({ role, name }: ReportedProcess): string {
  return `${role} ${name}`;
}

function silence(one: ReportedProcess): string {
  return `${nameOf(one)} for ${Math.round(one.silentSeconds / 60)} minutes`;
}
