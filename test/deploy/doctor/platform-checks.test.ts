import { expect, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { platformChecks } from '#deploy/doctor/platform-checks.ts';

async function found(environment: Record<string, string>) {
  const result = resolveConfig({ environment });
  if (!result.ok) throw new Error(result.errors.join('\n'));
  const [production, registration] = await runChecks(platformChecks(result.config));
  return { production, registration };
}

test('development on loopback needs no production settings and has open registration', async () => {
  const { production, registration } = await found({});
  expect(production).toMatchObject({ state: 'fine', found: expect.stringContaining('not production') });
  expect(registration).toMatchObject({ state: 'fine', found: expect.stringMatching(/^open \(.*loopback/) });
});

test('a public address closes registration, with an explanation', async () => {
  const { registration } = await found({ HOST: '0.0.0.0' });
  expect(registration).toMatchObject({ state: 'fine', found: expect.stringMatching(/^closed \(.*HOST 0\.0\.0\.0/) });
});

test('production reports everything that prevents the start, and warns about open registration', async () => {
  const secret = 'w'.repeat(40);
  const { production, registration } = await found({
    NODE_ENV: 'production',
    AUTH_SECRET: secret,
    REGISTRATION: 'open',
  });
  expect(production?.state).toBe('wrong');
  for (const name of ['AUTH_SECRET: repeats', 'JWT_SECRET: is missing', 'ALLOWED_ORIGIN: is missing'])
    expect(production?.found).toContain(name);
  expect(production?.found).not.toContain('www');
  expect(registration).toMatchObject({ state: 'look', advice: expect.stringContaining('REGISTRATION') });
});
