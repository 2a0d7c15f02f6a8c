import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ClickHouseEngineOptions } from '#deploy/engines/clickhouse.ts';

/** Printed by engine-program.ts. */
export interface EngineReport {
  /** As ClickHouse reports it to our client. */
  readonly user?: string | undefined;
  /** Outcome of reading the environment of the parent through ClickHouse. */
  readonly environ?: string;
  readonly isolated?: boolean;
  readonly confined?: boolean;
  /** The engine's network namespace is not that of its parent. */
  readonly ownNetwork?: boolean;
  /** /proc/PID/status of the engine. */
  readonly status?: string;
  readonly warnings: readonly string[];
  readonly error?: string;
  readonly name?: string;
}

const PROGRAM = fileURLToPath(new URL('./engine-program.ts', import.meta.url));

/** Starts the embedded ClickHouse in a process of its own, which the command `prefix` runs. */
export async function reportOfEngine(
  options: ClickHouseEngineOptions,
  prefix: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<EngineReport> {
  const [file = '', ...args] = [...prefix, process.execPath, '--no-warnings', PROGRAM, JSON.stringify(options)];
  const { stdout } = await promisify(execFile)(file, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout) as EngineReport;
}

/** Prefix of a command that runs it as an account without a name, groups and capabilities. */
export function asAccount(uid: number): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--'];
}
