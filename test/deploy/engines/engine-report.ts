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

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = 'test/deploy/engines/engine-program.ts';

/** A command that runs another one as another account, and where that account finds this checkout. */
export interface OtherAccount {
  readonly prefix: readonly string[];
  readonly root: string;
}

/** Starts the embedded ClickHouse in a process of its own, which the command `prefix` runs. */
export async function reportOfEngine(
  options: ClickHouseEngineOptions,
  { prefix, root }: OtherAccount = { prefix: [], root: ROOT },
  env: Readonly<Record<string, string>> = {},
): Promise<EngineReport> {
  const node = process.execPath.replace(ROOT, root);
  const [file = '', ...args] = [...prefix, node, '--no-warnings', root + PROGRAM, JSON.stringify(options)];
  const { stdout } = await promisify(execFile)(file, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout) as EngineReport;
}

/** This account, with a command before each program. */
export const underCommand = (prefix: readonly string[]): OtherAccount => ({ prefix, root: ROOT });

/** Prefix of a command that runs it as an account without a name, groups and capabilities. */
export function asAccount(uid: number): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--'];
}

/**
 * The same, with this checkout mounted at `mountPoint`, in a mount namespace that ends with the command: the account finds it there also when the
 * checkout is below a directory that only root may enter.
 */
export function asAccountWithCheckout(uid: number, mountPoint: string): OtherAccount {
  const mount = 'mount --bind "$0" "$1" && shift && exec "$@"';
  const namespace = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', mount, ROOT, mountPoint];
  return { prefix: [...namespace, ...asAccount(uid)], root: `${mountPoint}/` };
}
