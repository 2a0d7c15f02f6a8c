import type { U64 } from '#schemas/events/event.ts';

const REGISTER = /^(?:[0-9a-f]{1,4}:)?(?:0x)?0*([0-9a-f]{1,16})$/i;

/** Formats an address, for example `0x7ffd5833d0c0`. It is a string, so that no reader rounds it. */
export function hexadecimal(value: U64): string {
  return `0x${value.toString(16)}`;
}

/**
 * Parses a register value as the kernel prints it in a dump: `00007ffd5833d0c0`, `0x7ffd5833d0c0`, or with the segment
 * before it, `0033:0x401136`. Returns undefined for anything else.
 */
export function parseRegister(text: string | undefined): U64 | undefined {
  const digits = text === undefined ? undefined : REGISTER.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  // 13 hexadecimal digits are 52 bits, which a double represents exactly. User-space addresses fit.
  if (digits.length <= 13) return Number.parseInt(digits, 16);
  const exact = BigInt(`0x${digits}`);
  return exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact;
}
