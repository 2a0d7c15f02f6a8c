import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ClickHouseEngineOptions } from '#deploy/engines/clickhouse.ts';

/** The JSON that engine-program.ts prints. */
export interface EngineReport {
  /** Name of the ClickHouse user, as ClickHouse returns it to our client. */
  readonly user?: string | undefined;
  /**
   * Outcome of an attempt to read the environment of the parent process through ClickHouse: `read`, or the type of the
   * error.
   */
  readonly environ?: string;
  readonly isolated?: boolean;
  readonly confined?: boolean;
  /** True if the engine and its parent have different network namespaces. */
  readonly ownNetwork?: boolean;
  /** Contents of /proc/PID/status of the engine. */
  readonly status?: string;
  readonly warnings: readonly string[];
  readonly error?: string;
  readonly name?: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = 'test/deploy/engines/engine-program.ts';

/** A command prefix that runs a command as another account, and the path of this checkout for that account. */
export interface OtherAccount {
  readonly prefix: readonly string[];
  readonly root: string;
}

/**
 * Starts the embedded ClickHouse in a separate process, under the command prefix of `account`. Resolves to its report.
 */
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

/** Returns the current account with a command prefix. */
export const underCommand = (prefix: readonly string[]): OtherAccount => ({ prefix, root: ROOT });

/** Returns the command prefix that runs a command as an account without a name, groups and capabilities. */
export function asAccount(uid: number): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--'];
}

/**
 * Returns a prefix like `asAccount`, with this checkout mounted at `mountPoint` in a mount namespace that ends with the
 * command. The account can then read the checkout even below a directory that only root may enter.
 */
export function asAccountWithCheckout(uid: number, mountPoint: string): OtherAccount {
  const mount = 'mount --bind "$0" "$1" && shift && exec "$@"';
  const namespace = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', mount, ROOT, mountPoint];
  return { prefix: [...namespace, ...asAccount(uid)], root: `${mountPoint}/` };
}
