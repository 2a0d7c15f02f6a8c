import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type TokenPolicy, tokenRequestOf } from '#api/executions/tasks/http/token-request.ts';

const URL_OF_TOKENS = 'https://id.example.org/token';
const policy = (over: Partial<TokenPolicy>): TokenPolicy => ({
  scheme: 'oauth2',
  tokenUrl: URL_OF_TOKENS,
  clientId: 'client',
  clientSecret: 'secret',
  clientAuthentication: 'client_secret_post',
  scopes: [],
  audiences: [],
  ...over,
});

function formOf(over: Partial<TokenPolicy>): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(String(tokenRequestOf(policy(over), URL_OF_TOKENS).body)));
}

describe('grants', () => {
  test('password', () => {
    expect(formOf({ grant: 'password', username: 'ann', password: 'p&w', scopes: ['a', 'b'] })).toEqual({
      grant_type: 'password',
      scope: 'a b',
      username: 'ann',
      password: 'p&w',
      client_id: 'client',
      client_secret: 'secret',
    });
  });

  test('refresh token, from `subject`', () => {
    expect(formOf({ grant: 'refresh_token', subject: { token: 't', type: 'x' } })).toMatchObject({
      refresh_token: 't',
    });
  });

  test('token exchange', () => {
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const form = formOf({ grant, subject: { token: 's', type: 'urn:s' }, actor: { token: 'a', type: 'urn:a' } });
    expect(form).toMatchObject({
      grant_type: grant,
      subject_token: 's',
      subject_token_type: 'urn:s',
      actor_token: 'a',
      actor_token_type: 'urn:a',
    });
  });
});

describe('client authentication', () => {
  test('none sends the id alone', () => {
    expect(formOf({ clientAuthentication: 'none' })).toEqual({ grant_type: 'client_credentials', client_id: 'client' });
  });

  test('private_key_jwt sends the assertion of the definition', () => {
    const form = formOf({ clientAuthentication: 'private_key_jwt', clientAssertion: 'x.y.z' });
    expect(form).toMatchObject({ client_assertion: 'x.y.z', client_id: 'client' });
    expect(form).not.toHaveProperty('client_secret');
  });

  test('client_secret_jwt signs an assertion for the token endpoint', () => {
    const { client_assertion: assertion = '' } = formOf({ clientAuthentication: 'client_secret_jwt' });
    const [head, body, signature] = assertion.split('.');
    expect(JSON.parse(Buffer.from(body ?? '', 'base64url').toString())).toMatchObject({
      iss: 'client',
      sub: 'client',
      aud: URL_OF_TOKENS,
      exp: expect.any(Number),
    });
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url'));
  });

  test('the request can be JSON', () => {
    const { body, headers } = tokenRequestOf(policy({ json: true, audiences: ['a', 'b'] }), URL_OF_TOKENS);
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.parse(String(body))).toEqual({
      grant_type: 'client_credentials',
      audience: ['a', 'b'],
      client_id: 'client',
      client_secret: 'secret',
    });
  });
});
