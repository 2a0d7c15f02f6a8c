import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EngineStartError } from './engine.ts';

/** `required`: an engine does not start with network access. `auto`: it does if the kernel permits no namespace. */
export type EngineIsolation = 'auto' | 'required' | 'off';

export interface NetworkNamespace {
  /**
   * Prefix that runs a command in a new network namespace, without any interface and with no_new_privs. Empty if not
   * isolated.
   */
  readonly command: readonly string[];
  /** Why the requested isolation is unavailable. */
  readonly refusal: string | undefined;
}

/** Accounts other than root need a user namespace to create a network namespace. */
const UNSHARE = process.getuid?.() === 0 ? ['--net'] : ['--user', '--map-current-user', '--net'];
const COMMAND = ['unshare', ...UNSHARE, '--', 'setpriv', '--no-new-privs', '--'];

/** Tests whether this process may create network namespaces. */
export async function networkNamespace(isolation: EngineIsolation): Promise<NetworkNamespace> {
  if (isolation === 'off') return { command: [], refusal: undefined };
  const [file = '', ...args] = COMMAND;
  try {
    await promisify(execFile)(file, [...args, 'true']);
    return { command: COMMAND, refusal: undefined };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: unknown };
    const refusal = code === 'ENOENT' ? 'unshare (util-linux) is not installed' : String(stderr).trim();
    if (isolation === 'auto') return { command: [], refusal };
    throw new EngineStartError(
      'failed',
      `TRAPLINE_ENGINE_ISOLATION is required, but a network namespace cannot be made (${refusal}): permit it, or set it to auto`,
    );
  }
}
