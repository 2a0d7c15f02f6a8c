import { SCOPES, type Scope } from '#schemas/api/roles.ts';
import { type ApiError, apiError } from '../api-error.ts';
import { type Caller, mayUse } from './caller.ts';

/** Throws a 403 unless the caller may use the scope. */
export function requireScope(caller: Caller | undefined, scope: Scope): asserts caller is Caller {
  if (caller === undefined || !mayUse(caller, scope)) throw missingScope(caller, [scope]);
}

/**
 * Returns the 403 for a caller that has none of these scopes. `WWW-Authenticate` names them (RFC 6750, section 3.1), so
 * that a client can explain the refusal.
 */
export function missingScope(caller: Caller | undefined, scopes: readonly [Scope, ...Scope[]]): ApiError {
  return apiError('forbidden', messageFor(caller, scopes), undefined, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
  });
}

/**
 * Returns the message that names what the caller lacks: the role for a user, the scope for a key. The role of its owner
 * limits the scopes of a key.
 */
function messageFor(caller: Caller | undefined, scopes: readonly [Scope, ...Scope[]]): string {
  if (caller?.kind === 'host') return `the key of a host has the scope ${caller.scopes.join(', ')} alone`;
  if (caller?.kind === 'key') {
    const needed = scopes.map((scope) => `${scope} (role ${SCOPES[scope].role})`);
    return `the key needs the scope ${needed.join(' or ')}`;
  }
  const [first] = scopes;
  const purpose = first === 'admin' ? '' : ` to ${SCOPES[first].description}`;
  return `you need the role ${SCOPES[first].role}${purpose}`;
}
