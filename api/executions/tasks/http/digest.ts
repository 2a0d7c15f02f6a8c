import { createHash, randomBytes } from 'node:crypto';

/** A supported challenge of digest authentication (RFC 7616). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: keyof typeof HASHES;
  /** Undefined for a server that implements RFC 2069, without `qop`. */
  readonly qop: 'auth' | undefined;
}

export interface DigestRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly uri: string;
  readonly username: string;
  readonly password: string;
}

const HASHES = {
  'SHA-512-256': 'sha512-256',
  'SHA-512-256-sess': 'sha512-256',
  'SHA-256': 'sha256',
  'SHA-256-sess': 'sha256',
  MD5: 'md5',
  'MD5-sess': 'md5',
} as const;
/** Strongest first. */
const ALGORITHMS = Object.keys(HASHES) as (keyof typeof HASHES)[];

/** Returns the strongest supported challenge of a `WWW-Authenticate` header, or undefined. */
export function digestChallengeOf(header: string): DigestChallenge | undefined {
  const found = challengesOf(header).flatMap((parts): DigestChallenge[] => {
    const algorithm = ALGORITHMS.find((name) => name.toLowerCase() === (parts.get('algorithm') ?? 'MD5').toLowerCase());
    const [realm, nonce, qops] = [parts.get('realm'), parts.get('nonce'), parts.get('qop')];
    const qop = qops?.split(',').some((each) => each.trim().toLowerCase() === 'auth') ? 'auth' : undefined;
    if (algorithm === undefined || realm === undefined || nonce === undefined) return [];
    if (qops !== undefined && qop === undefined) return [];
    return [{ realm, nonce, opaque: parts.get('opaque'), algorithm, qop }];
  });
  return found.sort((a, b) => ALGORITHMS.indexOf(a.algorithm) - ALGORITHMS.indexOf(b.algorithm))[0];
}

/** Returns the `Authorization` value that answers a challenge. */
export function digestAuthorization(
  { realm, nonce, opaque, algorithm, qop }: DigestChallenge,
  { method, uri, username, password }: DigestRequest,
  cnonce: string = randomBytes(16).toString('hex'),
): string {
  const hash = (text: string) => createHash(HASHES[algorithm]).update(text).digest('hex');
  const identity = hash(`${username}:${realm}:${password}`);
  const ha1 = algorithm.endsWith('-sess') ? hash(`${identity}:${nonce}:${cnonce}`) : identity;
  const ha2 = hash(`${method}:${uri}`);
  const count = '00000001';
  const response = hash(
    qop === undefined ? `${ha1}:${nonce}:${ha2}` : `${ha1}:${nonce}:${count}:${cnonce}:${qop}:${ha2}`,
  );
  const quoted = { username, realm, nonce, uri, response, ...(opaque === undefined ? {} : { opaque }) };
  return [
    ...Object.entries(quoted).map(([name, value]) => `${name}="${value.replace(/(["\\])/g, '\\$1')}"`),
    `algorithm=${algorithm}`,
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${count}`]),
    ...(qop === undefined && !algorithm.endsWith('-sess') ? [] : [`cnonce="${cnonce}"`]),
  ].reduce((text, part, index) => `${text}${index === 0 ? ' ' : ', '}${part}`, 'Digest');
}

/** Parses the parameters of each digest challenge. Ignores other schemes. */
function challengesOf(header: string): ReadonlyMap<string, string>[] {
  const challenges: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  // A scheme with its first parameter, or a further parameter.
  const part =
    /(?:^|,)\s*(?:([\w-]+)\s+)?([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|(?:^|,)\s*([\w-]+)(?=\s*(?:,|$))/g;
  for (const [, scheme, name, quoted, plain, alone] of header.matchAll(part)) {
    if (alone !== undefined) current = undefined;
    else if (scheme !== undefined) {
      current = scheme.toLowerCase() === 'digest' ? new Map() : undefined;
      if (current !== undefined) challenges.push(current);
    }
    if (name !== undefined) current?.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return challenges;
}
