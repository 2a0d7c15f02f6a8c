import { visible } from '../../parts/visible.ts';

/** Returns the received bytes of a dead letter. */
export function bytesOf({
  raw,
  rawEncoding,
}: {
  readonly raw: string;
  readonly rawEncoding: 'utf8' | 'base64';
}): Uint8Array {
  if (rawEncoding === 'utf8') return new TextEncoder().encode(raw);
  return Uint8Array.from(atob(raw), (character) => character.charCodeAt(0));
}

/** Returns the bytes as text. Invalid UTF-8 becomes `�`. */
export function visibleText(bytes: Uint8Array): string {
  return visible(new TextDecoder().decode(bytes));
}

const PER_LINE = 16;

/** Returns a hex dump: offset, sixteen bytes in hexadecimal, the same bytes as ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const line = [...bytes.subarray(at, at + PER_LINE)];
    const digits = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${digits.padEnd(PER_LINE * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}
