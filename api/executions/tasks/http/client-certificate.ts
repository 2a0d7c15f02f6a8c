import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ClientCertificate } from '#api/outbound/port.ts';

interface GivenParts {
  readonly certificate: string;
  readonly key: string;
  readonly passphrase?: string;
  readonly ca?: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;
const NAMES: ReadonlySet<string> = new Set(['certificate', 'key', 'passphrase', 'ca']);

/**
 * Reads a client certificate from a secret: PEM with the certificate, those of its issuers and the private key, or JSON
 * with `certificate`, `key`, and optionally `passphrase` and `ca`. Throws `problem` for any part that cannot be used at
 * the time `now`, before a connection is opened. Details contain nothing of the key.
 */
export function readClientCertificate(
  secret: string,
  now: number,
  problem: (detail: string) => Error,
): ClientCertificate {
  const { certificate, key, passphrase, ca } = partsOf(secret, problem);
  const chain = blocksOf(certificate, (label) => label === 'CERTIFICATE');
  const [first] = readCertificates(chain, 'certificate', problem);
  if (first === undefined) throw problem('it has no certificate in PEM');
  const privateKey = readKey(key, passphrase, problem);
  if (!first.checkPrivateKey(privateKey))
    throw problem('the private key does not belong to the first certificate: the client comes before its issuers');
  if (now > first.validToDate.getTime()) throw problem(`the certificate expired at ${first.validToDate.toISOString()}`);
  if (now < first.validFromDate.getTime())
    throw problem(`the certificate is not valid before ${first.validFromDate.toISOString()}`);
  const authorities = ca === undefined ? undefined : blocksOf(ca, (label) => label === 'CERTIFICATE');
  if (authorities !== undefined && readCertificates(authorities, '`ca`', problem).length === 0)
    throw problem('`ca` has no certificate in PEM');
  const read: ClientCertificate = {
    certificate: chain.join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ...(authorities === undefined ? {} : { ca: authorities.join('\n') }),
  };
  try {
    createSecureContext({ cert: read.certificate, key: read.key, ca: read.ca });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw problem(`TLS does not accept the certificate${code}`);
  }
  return read;
}

function partsOf(secret: string, problem: (detail: string) => Error): GivenParts {
  if (!secret.trimStart().startsWith('{')) return { certificate: secret, key: secret };
  let parts: Readonly<Record<string, unknown>>;
  try {
    parts = JSON.parse(secret) as typeof parts;
  } catch {
    throw problem('it is neither PEM nor JSON');
  }
  const unknown = Object.keys(parts).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw problem(`it has an unknown property: ${[...NAMES].join(', ')} are known`);
  const wrong = ['certificate', 'key'].find((name) => typeof parts[name] !== 'string');
  if (wrong !== undefined) throw problem(`\`${wrong}\` must be a string in PEM`);
  const optional = ['passphrase', 'ca'].find((name) => parts[name] !== undefined && typeof parts[name] !== 'string');
  if (optional !== undefined) throw problem(`\`${optional}\` must be a string`);
  return parts as unknown as GivenParts;
}

function blocksOf(text: string, isWanted: (label: string) => boolean): readonly string[] {
  return Array.from(text.matchAll(BLOCK)).flatMap(([block, label = '']) => (isWanted(label) ? [block] : []));
}

function readCertificates(
  blocks: readonly string[],
  what: string,
  problem: (detail: string) => Error,
): readonly X509Certificate[] {
  return blocks.map((block, at) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw problem(`${what} ${at + 1} cannot be read`);
    }
  });
}

function readKey(text: string, passphrase: string | undefined, problem: (detail: string) => Error): KeyObject {
  const [block, another] = blocksOf(text, (label) => label.endsWith('PRIVATE KEY'));
  if (block === undefined) throw problem('it has no private key in PEM');
  if (another !== undefined) throw problem('it has several private keys');
  const encrypted = block.includes('ENCRYPTED');
  if (encrypted && passphrase === undefined)
    throw problem('the private key is encrypted: JSON with `passphrase` is needed');
  try {
    return createPrivateKey({ key: block, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    throw problem(encrypted ? 'the passphrase does not decrypt the private key' : 'the private key cannot be read');
  }
}
