import { createHmac, timingSafeEqual } from 'node:crypto';

/** A challenge by which a client verifies that the server at this URL knows the operator key. */
export interface ServerChallenge {
  /** URL as the server announces it. It prevents another program from relaying the challenge to a server at another URL. */
  readonly url: string;
  /** 64 hexadecimal digits, random for each challenge. */
  readonly nonce: string;
}

/**
 * Returns the server's response to a challenge. A client verifies it before it sends the operator key. The key cannot
 * be computed from the proof, and the prefix makes the proof useless for any other purpose.
 */
export function serverProof(operatorKey: string, { url, nonce }: ServerChallenge): string {
  return createHmac('sha256', operatorKey).update(`trapline server proof\n${url}\n${nonce}`).digest('hex');
}

export function isServerProof(proof: string, operatorKey: string, challenge: ServerChallenge): boolean {
  const [given, expected] = [proof, serverProof(operatorKey, challenge)].map((text) => Buffer.from(text));
  return (
    given !== undefined &&
    expected !== undefined &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  );
}
