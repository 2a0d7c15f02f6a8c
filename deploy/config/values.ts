import { isIP } from 'node:net';
import { z } from 'zod';
import { hostUrls } from '#api/postgres/hosts.ts';
import { ROLES } from '#schemas/api/role-order.ts';

/** Value types of settings. All values are text from the environment or a file. */

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
        context.addIssue({ code: 'custom', message: 'must be a number of bytes, such as 1048576, 64MiB or 1GB' });
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
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(range.min).max(range.max));
}

export const truth = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false'))
  .transform((word) => ['true', '1', 'yes', 'on'].includes(word));

/** A URL with one of the protocols, without a trailing slash. */
export function url(...protocols: readonly string[]) {
  const expected = `must be a URL that begins with ${protocols.map((name) => `${name}://`).join(' or ')}`;
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)), expected)
    .transform((text) => text.replace(/\/+$/, ''));
}

/**
 * URLs with one of the protocols, separated by commas, without trailing slashes. Kept as text. A comma within a URL is
 * written `%2C`.
 */
export function urls(...protocols: readonly string[]) {
  return z
    .string()
    .transform((joined) => joined.split(',').map((one) => one.trim()))
    .pipe(z.array(url(...protocols)))
    .transform((all) => all.join(','));
}

/** A PostgreSQL connection URI, which may list several hosts separated by commas. */
const postgresUrl = z
  .string()
  .refine((text) => isPostgresUri(text), 'must be a URL that begins with postgres:// or postgresql://')
  .transform((text) => text.replace(/\/+$/, ''));

/** Groups of such URLs, separated by semicolons. Kept as text. A semicolon within a URL is written `%3B`. */
export function urlGroups(...protocols: readonly string[]) {
  return z
    .string()
    .transform((joined) => joined.split(';').map((one) => one.trim()))
    .pipe(z.array(urls(...protocols)))
    .transform((all) => all.join(';'));
}

/** `host:port,host:port` */
export const brokers = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(
    z
      .array(z.string().regex(/^(?:\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i, 'must be host:port, several joined by commas'))
      .min(1),
  );

export const text = z.string().min(1);

/** The path of a file. The content of a key in its place would otherwise be printed as a path that does not exist. */
export const filePath = text.refine((value) => !value.includes('\n'), 'must be the path of a file, not its content');

const RATE_UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A number per time: `100/60s`. Kept as text; `windowOf` parses it. */
export const rate = z
  .string()
  .regex(/^[1-9]\d{0,4}\/[1-9]\d{0,4}[smh]$/, 'must be a number and a time, such as 100/60s, 20/10m or 5/1h');

/** Parses a `rate`. */
export function windowOf(text: string): { readonly limit: number; readonly windowMs: number } {
  const [limit = '', time = ''] = text.split('/');
  return { limit: Number(limit), windowMs: parseInt(time, 10) * RATE_UNITS_MS[time.slice(-1) as 's' | 'm' | 'h'] };
}

/** Our own secrets, newest first, separated by commas. */
const secretList = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim()))
  .refine((all) => all.every((one) => one.length >= 32), 'must have at least 32 characters')
  .transform((all) => all as [string, ...string[]]);

/** `https://a.example,https://b.example` */
export const origins = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim().replace(/\/$/, '')))
  .refine(
    (all) => all.every((one) => URL.canParse(one) && new URL(one).origin === one && /^https?:/.test(one)),
    'must be origins, such as https://trapline.example.org',
  );

/** Addresses or networks: `10.0.0.0/8,192.0.2.7,2001:db8::/32` */
export const networks = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim()))
  .refine((all) => all.every(isNetwork), 'must be addresses or networks, such as 10.0.0.0/8');

/** Networks, or `host:port`. */
export const allowList = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim()))
  .refine(
    (all) => all.every((one) => isNetwork(one) || /^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(one)),
    'must be networks or host:port, such as 10.0.0.0/8 or mirror.internal:8443',
  );

/** A limit that can be turned off: a number accepted by `schema`, or `unlimited`, which becomes null. */
export function orUnlimited<T extends z.ZodType<number, string>>(schema: T) {
  return z.union([z.literal('unlimited').transform(() => null), schema]);
}

/** Roles, separated by commas. */
export const roles = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim()))
  .pipe(z.array(z.enum(ROLES, `must be roles: ${ROLES.join(', ')}`)));

/** Ids, separated by commas. */
export const words = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim()))
  .refine((all) => all.every((one) => /^[\w-]{1,64}$/.test(one)), 'must be ids, joined by commas');

export type Registration = 'open' | 'closed' | readonly string[];

export const registration = z
  .string()
  .transform((value): Registration => {
    const word = value.trim().toLowerCase();
    if (word === 'open' || word === 'closed') return word;
    return word.split(',').map((domain) => domain.trim().replace(/^@/, ''));
  })
  .refine(
    (value) => typeof value === 'string' || value.every((domain) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(domain)),
    'must be open, closed or e-mail domains, such as example.org,example.com',
  );

/** Absolute folder paths and volume names, separated by commas. */
export const volumes = z
  .string()
  .transform((joined) => joined.split(',').map((one) => one.trim()))
  .pipe(
    z.array(z.string().regex(/^(?:\/[^:]*|[A-Za-z0-9][\w.-]*)$/, 'must be an absolute path or the name of a volume')),
  );

/** A port range, such as `20000-20099`. Kept as text; `portsBetween` parses it. */
export const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'must be a range of ports, such as 20000-20099')
  .refine((text) => {
    const { from, to } = portsBetween(text);
    return from >= 1 && from <= to && to <= 65_535;
  }, 'the range must lie between 1 and 65535');

/** Parses a `portRange`. */
export function portsBetween(text: string): { readonly from: number; readonly to: number } {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return { from, to };
}

export const DAYS = { min: 1, max: 36_500 };

/** A value that must never be shown: not in `config`, errors or logs. */
export const secret = () => text.meta({ secret: true });

/** Secrets of this installation. The first one signs; older ones after it are still accepted. */
export const secrets = () => secretList.meta({ secret: true });

/** A URL that may contain a password, and is shown without it. Like a secret, it may be the content of a file. */
export const postgresUrlWithPassword = () => postgresUrl.meta({ file: true });

function isPostgresUri(text: string): boolean {
  try {
    return hostUrls(text).length > 0;
  } catch {
    return false;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
