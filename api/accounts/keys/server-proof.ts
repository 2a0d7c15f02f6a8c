import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a client asks to have proved: that the server at this URL knows the operator key. */
export interface ServerChallenge {
  /** As the server announces it. Another program cannot pass a challenge on to the server at another URL. */
  readonly url: string;
  /** 64 hexadecimal digits, new for each challenge. */
  readonly nonce: string;
}

/**
 * The server's answer to a challenge, so that a client sends the operator key to no other program. The key cannot be computed from it, and the
 * prefix keeps it from being valid for anything else.
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
