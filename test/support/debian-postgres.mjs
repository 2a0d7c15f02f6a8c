// Debian's PostgreSQL, in addition to the one of the npm package: the embedded engine prefers it, so the tests run on both. Plain JavaScript without
// dependencies, like install-programs.mjs, which it belongs to.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/usr/lib/postgresql';
const SETTINGS = '/etc/postgresql-common/createcluster.conf';
/** The package has this file too: without the option dpkg would ask which of the two to keep. */
export const KEEP_SETTINGS = ['-o', 'Dpkg::Options::=--force-confold'];

/** @returns {string | undefined} the newest server's `initdb`; a machine may have the client alone */
export function debianPostgres(folder = FOLDER) {
  if (!existsSync(folder)) return undefined;
  const majors = readdirSync(folder).map(Number).filter(Number.isInteger);
  return majors
    .sort((a, b) => b - a)
    .map((major) => join(folder, String(major), 'bin', 'initdb'))
    .find((path) => existsSync(path));
}

/** The package makes a cluster and starts a server on port 5432, which a test run must not leave behind, unless its settings forbid it. */
export function withoutCluster(file = SETTINGS) {
  if (existsSync(file)) return;
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
}
