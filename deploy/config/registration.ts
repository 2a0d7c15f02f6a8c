import { isIP } from 'node:net';
import { isLoopback } from './loopback.ts';
import type { Settings } from './schema.ts';
import type { Registration } from './values.ts';

/** Who may register, and why: shown in the log and by `trapline doctor`. */
export interface RegistrationRule {
  readonly registration: Registration;
  readonly because: string;
}

/**
 * What REGISTRATION says. Without it, registration is open only where other machines cannot reach the server: outside production, on a
 * loopback address. A server that other people reach opens it by a decision of its operator.
 */
export function registrationRule({ REGISTRATION, NODE_ENV, HOST }: Settings): RegistrationRule {
  if (REGISTRATION !== undefined) return { registration: REGISTRATION, because: 'REGISTRATION is set' };
  if (NODE_ENV === 'production')
    return { registration: 'closed', because: 'REGISTRATION is not set, NODE_ENV is production' };
  return listensOnLoopback(HOST)
    ? { registration: 'open', because: 'REGISTRATION is not set: development on a loopback address' }
    : { registration: 'closed', because: `REGISTRATION is not set, HOST ${HOST} may be reached from other machines` };
}

/** Other names are not resolved: what they stand for may change. */
function listensOnLoopback(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(host);
}
