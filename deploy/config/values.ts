import { z } from 'zod';

/** The kinds of values a setting can have. All come as text, from the environment or a file. */

const BYTE_UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** Bytes: `1048576`, `64MiB`, `1.5 GB`. */
export function byteSize(range: { min: number; max: number }) {
  return z
    .string()
    .transform((text, context) => {
      const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
      const unit = BYTE_UNITS[(match?.[2] ?? '?').toLowerCase()];
      if (match === null || unit === undefined) {
        context.addIssue({ code: 'custom', message: 'a number of bytes is expected, such as 1048576, 64MiB or 1GB' });
        return z.NEVER;
      }
      return Math.round(Number(match[1]) * unit);
    })
    .pipe(z.number().min(range.min).max(range.max));
}

/** A whole number within a range. */
export function wholeNumber(range: { min: number; max: number }) {
  return z
    .string()
    .regex(/^-?\d+$/, 'a whole number is expected')
    .transform(Number)
    .pipe(z.number().min(range.min).max(range.max));
}

export const truth = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'true or false is expected'))
  .transform((word) => ['true', '1', 'yes', 'on'].includes(word));

/** A URL of one of the protocols, without a slash at its end. */
export function url(...protocols: readonly string[]) {
  const expected = `a URL is expected that begins with ${protocols.map((name) => `${name}://`).join(' or ')}`;
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)), expected)
    .transform((text) => text.replace(/\/+$/, ''));
}

/** `host:port,host:port` */
export const brokers = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(
    z
      .array(
        z.string().regex(/^(?:\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i, 'host:port is expected, several joined by commas'),
      )
      .min(1),
  );

export const text = z.string().min(1);
