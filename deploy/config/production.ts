import type { SettingName, Settings } from './schema.ts';
import { weaknessOfSecret } from './secret-strength.ts';

const REQUIRED = ['AUTH_SECRET', 'AUTH_URL', 'JWT_SECRET', 'ADMIN_KEY', 'ALLOWED_ORIGIN'] as const;
const OWN_SECRETS = ['AUTH_SECRET', 'JWT_SECRET', 'ADMIN_KEY'] as const;
/** Secrets that other systems know, too. */
const SHARED_SECRETS = [
  'KAFKA_PASSWORD',
  'SCHEMA_REGISTRY_PASSWORD',
  'CLICKHOUSE_PASSWORD',
  'S3_SECRET_ACCESS_KEY',
  'EMAIL_PASS',
  'IDP_CLIENT_SECRET',
  'CODEHOST_CLIENT_SECRET',
  'CODEHOST_TOKEN',
  'TRAPLINE_MODEL_API_KEY',
  'TRAPLINE_API_KEY',
] as const;
const HOW_TO_MAKE_ONE = 'generate one with: openssl rand -base64 32';

/**
 * Returns what `start`, `api` and `worker` reject if NODE_ENV is production, one line per problem. Takes the valid
 * settings, and the names that were given: a value that is given but invalid is reported by the schema, not as missing.
 */
export function problemsInProduction(valid: Partial<Settings>, given: (name: SettingName) => boolean): string[] {
  if (valid.NODE_ENV !== 'production') return [];
  const problems = REQUIRED.filter((name) => !given(name)).map(
    (name) => `${name}: is missing, and production needs it`,
  );
  if (!given('SMTP_URL') && !given('EMAIL_USER'))
    problems.push('SMTP_URL: is missing, and production needs it (or EMAIL_USER and EMAIL_PASS) to send codes');
  return [...problems, ...weakSecrets(valid), ...equalSecrets(valid)];
}

function weakSecrets(settings: Partial<Settings>): string[] {
  return OWN_SECRETS.flatMap((name) =>
    valuesOf(settings[name]).flatMap((value, index) => {
      const weakness = weaknessOfSecret(value);
      const which = index === 0 ? '' : `value ${index + 1} `;
      return weakness === undefined ? [] : [`${name}: ${which}${weakness}; ${HOW_TO_MAKE_ONE}`];
    }),
  );
}

/**
 * Returns secrets with the same value. One leaked value would compromise both uses, and neither could be rotated alone.
 */
function equalSecrets(settings: Partial<Settings>): string[] {
  const names = [...OWN_SECRETS, ...SHARED_SECRETS];
  return OWN_SECRETS.flatMap((name, index) => {
    const equal = names.slice(index + 1).filter((other) => {
      const others = valuesOf(settings[other]);
      return valuesOf(settings[name]).some((value) => others.includes(value));
    });
    return equal.length === 0 ? [] : [`${name}: must differ from ${equal.join(', ')}; ${HOW_TO_MAKE_ONE}`];
  });
}

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}
