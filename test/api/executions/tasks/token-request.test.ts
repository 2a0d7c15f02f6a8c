import { createHmac, generateKeyPairSync } from 'node:crypto';
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

const problem = (detail: string) => new Error(detail);
const requestOf = (over: Partial<TokenPolicy>) => tokenRequestOf(policy(over), URL_OF_TOKENS, problem);
const formOf = async (over: Partial<TokenPolicy>): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(String((await requestOf(over)).body)));

describe('grants', () => {
  test('password', async () => {
    expect(await formOf({ grant: 'password', username: 'ann', password: 'p&w', scopes: ['a', 'b'] })).toEqual({
      grant_type: 'password',
      scope: 'a b',
      username: 'ann',
      password: 'p&w',
      client_id: 'client',
      client_secret: 'secret',
    });
  });

  test('refresh token, from `subject`', async () => {
    expect(await formOf({ grant: 'refresh_token', subject: { token: 't', type: 'x' } })).toMatchObject({
      refresh_token: 't',
    });
  });

  test('token exchange', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const form = await formOf({ grant, subject: { token: 's', type: 'urn:s' }, actor: { token: 'a', type: 'urn:a' } });
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
  test('none sends only the id', async () => {
    expect(await formOf({ clientAuthentication: 'none' })).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
    });
  });

  test('private_key_jwt sends the assertion of the definition', async () => {
    const form = await formOf({ clientAuthentication: 'private_key_jwt', clientAssertion: 'x.y.z' });
    expect(form).toMatchObject({ client_assertion: 'x.y.z', client_id: 'client' });
    expect(form).not.toHaveProperty('client_secret');
  });

  test.each<[string, string, object, string]>([
    ['without an id', 'ec', { namedCurve: 'P-256' }, 'needs the `id` of the client'],
    ['of another curve', 'ec', { namedCurve: 'secp256k1' }, 'must be RSA, Ed25519, or of a NIST curve'],
    ['of another kind', 'x25519', {}, 'must be RSA, Ed25519, or of a NIST curve'],
    ['that is short', 'rsa', { modulusLength: 1024 }, 'RSA needs at least 2048 bits'],
  ])('private_key_jwt rejects a private key %s', async (name, kind, options, message) => {
    const { privateKey } = generateKeyPairSync(kind as 'ec', options as { namedCurve: string });
    const clientAssertion = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const clientId = name === 'without an id' ? '' : 'client';
    await expect(formOf({ clientAuthentication: 'private_key_jwt', clientId, clientAssertion })).rejects.toThrow(
      message,
    );
    const broken = clientAssertion.replace(/(KEY-----\n).{8}/, '$1');
    const read = formOf({ clientAuthentication: 'private_key_jwt', clientAssertion: broken });
    await expect(read).rejects.toThrow('the private key of the client cannot be read');
  });

  test('client_secret_jwt signs an assertion for the token endpoint', async () => {
    const { client_assertion: assertion = '' } = await formOf({ clientAuthentication: 'client_secret_jwt' });
    const [head, body, signature] = assertion.split('.');
    expect(JSON.parse(Buffer.from(body ?? '', 'base64url').toString())).toMatchObject({
      iss: 'client',
      sub: 'client',
      aud: URL_OF_TOKENS,
      exp: expect.any(Number),
    });
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url'));
  });

  test('the request can be JSON', async () => {
    const { body, headers } = await requestOf({ json: true, audiences: ['a', 'b'] });
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.parse(String(body))).toEqual({
      grant_type: 'client_credentials',
      audience: ['a', 'b'],
      client_id: 'client',
      client_secret: 'secret',
    });
  });
});
