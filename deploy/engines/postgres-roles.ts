import { type FileHandle, open } from 'node:fs/promises';
import { EngineStartError } from './engine.ts';
import { directoryInUse, saysInUse } from './postgres-errors.ts';
import { handlePath, type NamedAccount, type Outcome, runUnprivileged } from './run-unprivileged.ts';

export const ROLE = 'trapline';
export const DATABASE = 'trapline';

/** A superuser role for tests that create databases and roles. The product has none. */
export interface Administrator {
  readonly name: string;
  readonly password: string;
}

/** Runs `initdb` or `postgres`, which access the folder as `handlePath(0)`. */
export async function runOnCluster(
  folder: string,
  program: string,
  args: readonly string[],
  { named, input = '' }: { readonly named: NamedAccount; readonly input?: string },
): Promise<Outcome> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    return await runUnprivileged(program, args, { ...named, handles: [handle], input });
  } finally {
    await handle?.close();
  }
}

/**
 * Creates our role with this password, and its database, in single-user mode. Only the owner of the files can use this
 * mode, so no superuser needs a password, and none can connect. Idempotent. Rejects with `EngineStartError`.
 */
export async function prepareRoles(options: {
  readonly cluster: string;
  /** Path of the program `postgres`. */
  readonly program: string;
  readonly named: NamedAccount;
  readonly password: string;
  readonly administrator: Administrator | undefined;
}): Promise<void> {
  const { cluster, program, named, password, administrator } = options;
  const unlogged = ['-c', 'log_min_error_statement=panic', '-c', 'log_statement=none'];
  const args = ['--single', '-D', handlePath(0), ...unlogged, 'postgres'];
  const input = statements(password, administrator).join('\n');
  const { code, output } = await runOnCluster(cluster, program, args, { named, input });
  if (saysInUse(output)) throw directoryInUse();
  const errors = output.split('\n').filter((line) => /\b(?:ERROR|FATAL|PANIC): /.test(line));
  const unexpected = errors.filter((line) => !line.includes(`database "${DATABASE}" already exists`));
  if (code === 0 && unexpected.length === 0) return;
  const reason = unexpected.join('; ') || output;
  throw new EngineStartError('failed', `PostgreSQL's roles could not be prepared (code ${code}): ${reason}`);
}

/** One statement per line, because single-user mode ends a statement at the line break. */
function statements(password: string, administrator: Administrator | undefined): string[] {
  const least = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
  return [
    'ALTER ROLE postgres PASSWORD NULL;', // Before layout 2, this was the password of our role.
    ...roleStatements(ROLE, password, least),
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE};`,
    ...(administrator === undefined ? [] : roleStatements(administrator.name, administrator.password, 'SUPERUSER')),
    '',
  ];
}

function roleStatements(name: string, password: string, attributes: string): string[] {
  return [
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name}; END IF; END $$;`,
    `ALTER ROLE ${name} LOGIN ${attributes} PASSWORD '${password}';`,
  ];
}
