import { describe, expect, test } from 'vitest';
import { missingScope } from '#api/http/access/missing-scope.ts';
import { envelopeOf } from '#api/http/api-error.ts';
import { failureOf } from '#dashboards/console/src/api/failure.ts';
import { FAILURE_GERMAN } from '#dashboards/console/src/api/text.de.ts';
import { FAILURE_TEXT } from '#dashboards/console/src/api/text.ts';
import { SCOPE_NAMES, type Scope } from '#schemas/api/scopes.ts';

const session = { kind: 'session', userId: 'u', username: 'u', email: 'u@example.org', sessionId: 's' } as const;

/** Returns the error that the console creates for a 403 response of the API. */
function refusalFor(...scopes: [Scope, ...Scope[]]) {
  const refusal = missingScope({ ...session, role: 'user' }, scopes);
  return failureOf(Response.json(envelopeOf(refusal, 'r'), { status: refusal.statusCode, headers: refusal.headers }));
}

describe('a 403 because of a missing role', () => {
  test.each([
    ['detections:read', 'You need the Analyst role to see detections, events and dead letters'],
    ['workflows:run', 'You need the User role to run workflows'],
    ['admin', 'You need the Administrator role for this'],
  ] as const)('%s: names the role and its purpose', async (scope, message) => {
    expect((await refusalFor(scope)).issues).toEqual([
      { field: '<root>', message, code: 'forbidden', severity: 'error' },
    ]);
  });

  test('names the first of several scopes', async () => {
    expect((await refusalFor('cases:read', 'detections:read')).message).toBe('You need the Analyst role to see cases');
  });

  test('shows no scope by its name, and German names the same roles', async () => {
    for (const scope of SCOPE_NAMES) expect((await refusalFor(scope)).message).not.toMatch(/scope|\w:\w/);
    expect(FAILURE_GERMAN.missingRole('Analyst', FAILURE_GERMAN.purposes['detections:read'])).toBe(
      'Sie brauchen die Rolle Analyst, um Erkennungen, Ereignisse und Dead Letters zu sehen',
    );
    expect(FAILURE_GERMAN.missingRole('Administrator', FAILURE_GERMAN.purposes.admin)).toBe(
      'Dafür brauchen Sie die Rolle Administrator',
    );
  });
});

test.each([
  [403, {}],
  [403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="later:scope"' }],
  [401, { 'www-authenticate': 'Bearer' }],
])('keeps the message of any other error (%i %o)', async (status, headers) => {
  const issues = [{ field: 'origin', message: 'another site', code: 'forbidden', severity: 'error' }];
  const failure = await failureOf(Response.json({ issues, requestId: 'r' }, { status, headers }));
  expect(failure.message).toBe(FAILURE_TEXT.issue('forbidden', 'another site'));
});
