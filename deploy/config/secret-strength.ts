/**
 * Minimum entropy after everything predictable is removed. 32 random hexadecimal digits have about 115 bits, 20 random
 * letters 85.
 */
const MIN_BITS = 64;
/**
 * Words of examples and templates. A random secret stays strong without them, so a prefix such as `jwt-secret-` is
 * harmless.
 */
const PREDICTABLE =
  /change|replace|insert|secret|token|passw(?:or)?d|passphrase|admin|auth|jwt|session|key|signing|example|sample|default|placeholder|insecure|unsafe|dummy|test|todo|trapline|please|must|should|this|your|my|for|use|only|ultra|secure|dev(?:elopment)?|local|production|prod|value|here|with|long|random|string|least|characters?|chars|very|super|qwert[yz]|asdf/gi;

/**
 * Returns why a secret can be guessed; undefined if it appears strong. Removes template words, repetitions and
 * sequences, then estimates the entropy of the rest from its distinct characters. The result does not contain the
 * secret.
 */
export function weaknessOfSecret(secret: string): string | undefined {
  if (new Set(secret).size === 1) return 'repeats one character';
  const period = shortestPeriod(secret);
  if (bitsOf(secret.slice(0, period)) < MIN_BITS) {
    if (period <= secret.length / 2) return `repeats its first ${period} characters`;
    return `has ${new Set(secret).size} different characters, too few to be random`;
  }
  if (bitsOf(withoutSequences(secret)) < MIN_BITS) return 'is a sequence of neighbouring characters';
  if (bitsOf(withoutSequences(secret.replace(PREDICTABLE, ''))) < MIN_BITS)
    return 'looks like the placeholder of an example';
  return undefined;
}

/** Returns an upper bound, assuming random choice among the characters in the text. */
function bitsOf(text: string): number {
  return text.length * Math.log2(Math.max(1, new Set(text).size));
}

/** Shortens runs such as `0123`, `dcba` or `aaaa` to their first two characters. */
function shortestPeriod(text: string): number {
  for (let period = 1; period <= text.length / 2; period += 1)
    if (text.slice(period) === text.slice(0, -period)) return period;
  return text.length;
}

/** Reduces runs such as `0123`, `dcba` or `aaaa` to their first two characters. */
function withoutSequences(text: string): string {
  const step = (at: number) => text.charCodeAt(at) - text.charCodeAt(at - 1);
  return text
    .split('')
    .filter((_, at) => at < 2 || Math.abs(step(at)) > 1 || step(at) !== step(at - 1))
    .join('');
}
