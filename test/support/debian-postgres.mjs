// Installs Debian's PostgreSQL in addition to that of the npm package. The embedded engine prefers it, so the tests run
// on both. Plain JavaScript without dependencies, like install-programs.mjs, which uses it.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/usr/lib/postgresql';
const SETTINGS = '/etc/postgresql-common/createcluster.conf';
/** The package contains the settings file too. Without this option dpkg would ask which version to keep. */
export const KEEP_SETTINGS = ['-o', 'Dpkg::Options::=--force-confold'];

/** @returns {string | undefined} `initdb` of the newest server; undefined if the machine has the client only */
export function debianPostgres(folder = FOLDER) {
  if (!existsSync(folder)) return undefined;
  const majors = readdirSync(folder).map(Number).filter(Number.isInteger);
  return majors
    .sort((a, b) => b - a)
    .map((major) => join(folder, String(major), 'bin', 'initdb'))
    .find((path) => existsSync(path));
}

/**
 * Writes settings that prevent the package from creating a cluster and starting a server on port 5432, which would
 * outlive the test run.
 */
export function withoutCluster(file = SETTINGS) {
  if (existsSync(file)) return;
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
}
