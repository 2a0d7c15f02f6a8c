import type { U64 } from '#schemas/events/versions/v1.ts';

export interface SuppressedMessage {
  readonly functionName: string;
  readonly count: U64;
}

const SUPPRESSED = /^(\S(?:[\s\S]{0,126}\S)?): (\d{1,20}) callbacks suppressed\s*$/;

/** Fast pre-check before the regular expression. */
export function maybeSuppressed(text: string): boolean {
  return text.includes(' callbacks suppressed');
}

/**
 * `<function>: N callbacks suppressed` (lib/ratelimit.c): the kernel dropped N messages of that function before this
 * line.
 */
export function readSuppressed(text: string): SuppressedMessage | null {
  const match = SUPPRESSED.exec(text);
  if (!match) return null;
  const exact = BigInt(match[2] as string);
  if (exact > 0xffff_ffff_ffff_ffffn) return null;
  const count = Number(exact);
  return { functionName: match[1] as string, count: Number.isSafeInteger(count) ? count : exact };
}
