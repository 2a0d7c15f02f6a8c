import { isIP } from 'node:net';
import { isLoopback } from './loopback.ts';
import type { Settings } from './schema.ts';
import type { Registration } from './values.ts';

/** Whether users may register, and the reason, which is shown in the log and by `trapline doctor`. */
export interface RegistrationRule {
  readonly registration: Registration;
  readonly because: string;
}

/**
 * Returns the value of REGISTRATION. If it is not set, registration is open only outside production on a loopback
 * address, where other machines cannot reach the server. For a reachable server, the operator must open it explicitly.
 */
export function registrationRule(settings: Settings): RegistrationRule {
  const { REGISTRATION, NODE_ENV, HOST, TRAPLINE_TLS_CERT_FILE, TRAPLINE_TLS_HOST } = settings;
  if (REGISTRATION !== undefined) return { registration: REGISTRATION, because: 'REGISTRATION is set' };
  if (NODE_ENV === 'production')
    return { registration: 'closed', because: 'REGISTRATION is not set, NODE_ENV is production' };
  if (TRAPLINE_TLS_CERT_FILE !== undefined && !listensOnLoopback(TRAPLINE_TLS_HOST))
    return {
      registration: 'closed',
      because: `REGISTRATION is not set, TRAPLINE_TLS_HOST ${TRAPLINE_TLS_HOST} may be reached from other machines`,
    };
  return listensOnLoopback(HOST)
    ? { registration: 'open', because: 'REGISTRATION is not set: development on a loopback address' }
    : { registration: 'closed', because: `REGISTRATION is not set, HOST ${HOST} may be reached from other machines` };
}

/**
 * Returns true for a loopback address or `localhost`. Other names are not resolved, because their address may change.
 */
function listensOnLoopback(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(host);
}
