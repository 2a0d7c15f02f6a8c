import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly service: string;
}

export interface AwsRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | Uint8Array;
  /** Additional headers to sign besides `host`; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns the headers of a request without a query, with its signature (AWS Signature Version 4, payload in a single
 * chunk).
 */
export function signAwsRequest(
  { method, url, body, headers = {} }: AwsRequest,
  { accessKeyId, secretAccessKey, region, service }: AwsCredentials,
  now: Date,
): Record<string, string> {
  const { host, pathname } = new URL(url);
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const bodyHash = sha256(body);
  const signed: Record<string, string> = {
    ...headers,
    host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
  };
  const names = Object.keys(signed).sort();
  const canonical = [
    method,
    canonicalPath(pathname),
    '',
    ...names.map((name) => `${name}:${signed[name]?.trim()}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const { host: _, ...sent } = signed;
  const credential = `Credential=${accessKeyId}/${scope}`;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

/** Percent-encodes each segment as RFC 3986 requires; URLs do not do so for all characters. */
function canonicalPath(pathname: string): string {
  const encoded = (part: string) =>
    encodeURIComponent(decodeURIComponent(part)).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return pathname.split('/').map(encoded).join('/');
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
