/**
 * Patterns of attacks in client input. Only refused requests are checked, so a search for such a text does not count as
 * an attack.
 */

const MAX_CHARACTERS = 4_096;
const MAX_NODES = 500;

/**
 * Paths out of a folder, in any spelling: dots, encoded dots, double encoding, overlong encoding; and paths of files
 * that attackers commonly request.
 */
const TRAVERSAL =
  /(?:^|[\\/=:?&])\.\.(?:[\\/]|$)|\.\.[\\/]|%c0%(?:ae|af)|%00|\0|(?:^|[\\/])(?:etc[\\/](?:passwd|shadow|hosts)|proc[\\/]self|windows[\\/]win\.ini|\.git[\\/]|\.env(?:$|[?&#])|\.ssh[\\/])/i;

/** SQL, shell, templates, scripts, expression languages. */
const INJECTION =
  /'\s*(?:or|and)\s+['\d]|\bunion\s+(?:all\s+)?select\b|;\s*(?:drop|delete|insert|update|shutdown)\b|\b(?:sleep|benchmark|pg_sleep|waitfor)\s*\(|<\s*script\b|javascript:|\bon(?:error|load)\s*=|\$\{\s*(?:jndi|env|\d)|\{\{[^{]*\}\}|<!entity\b|\$\((?:[\w/]+)|\|\s*(?:cat|id|whoami|curl|wget|nc|sh|bash)\b|`[^`]*`/i;

/** Names that no honest client sends: operators of a document database, paths into objects, prototypes. */
const OPERATOR_NAME = /^\$|[[.]\$|^__proto__$|^constructor$|^prototype$/;

/** Fields that would raise the privileges of a client that could set them. */
const PRIVILEGE_NAME = /^(?:role|roles|isadmin|is_admin|admin|scope|permissions|emailverified|disabled)$/i;

/** True for a path or query that tries to leave its folder. Percent-encoding is decoded twice. */
export function looksLikeTraversal(url: string): boolean {
  const text = url.slice(0, MAX_CHARACTERS);
  const once = decoded(text);
  return TRAVERSAL.test(text) || TRAVERSAL.test(once) || TRAVERSAL.test(decoded(once));
}

/** True for a path or query that contains code, or for a query parameter that is an operator. */
export function looksLikeInjection(url: string): boolean {
  const text = url.slice(0, MAX_CHARACTERS);
  const once = decoded(text.replaceAll('+', ' '));
  const query = once.split('?').slice(1).join('?');
  const names = query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  return INJECTION.test(once) || names.some((name) => OPERATOR_NAME.test(name) || /\[\$|\[__proto__/.test(name));
}

export interface SuspiciousNames {
  readonly operators: boolean;
  readonly privileges: boolean;
}

/** Returns which names of a parsed JSON body are suspicious, at any depth. Values are ignored: a password may be any text. */
export function suspiciousNames(body: unknown): SuspiciousNames {
  let operators = false;
  let privileges = false;
  const left: unknown[] = [body];
  for (let visited = 0; left.length > 0 && visited < MAX_NODES; visited++) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) {
        operators ||= OPERATOR_NAME.test(name);
        privileges ||= PRIVILEGE_NAME.test(name);
      }
      left.push(inner);
    }
  }
  return { operators, privileges };
}

/** Text that cannot be decoded is returned unchanged. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString());
}
