import { usageError } from '../cli/command-error.ts';

/** Names of the settings of an address. */
const SETTINGS = { host: 'HOST', port: 'PORT' };

/**
 * Converts a listen error of the system to a configuration error that says what to do. Other errors are returned
 * unchanged.
 */
export function listenRefusal(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
  names: { readonly host: string; readonly port: string } = SETTINGS,
): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return usageError(
        `port ${port} of ${host} is taken by another program: set ${names.port} to another one (0: any free one)`,
      );
    case 'EACCES':
      return usageError(`port ${port} needs privileges this user does not have: set ${names.port} to one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return usageError(`${names.host} ${host} is not an address of this machine`);
    default:
      return error;
  }
}
