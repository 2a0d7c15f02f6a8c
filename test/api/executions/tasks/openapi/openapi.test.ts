import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#api/executions/json-value.ts';
import { findOperation } from '#api/executions/tasks/openapi/operation.ts';
import { requestOf } from '#api/executions/tasks/openapi/request.ts';

const SOURCE = 'https://docs.example.org/v1/openapi.json';
type Given = Readonly<Record<string, JsonValue>>;

const document = (operation: Given, more: Given = {}, path = '/things/{id}'): JsonValue => ({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example.org/base/' }],
  paths: { [path]: { post: { operationId: 'op', ...operation } } },
  ...more,
});

const call = (description: JsonValue, given: Given) => requestOf(findOperation(description, 'op', SOURCE), given);
const parameter = (name: string, place: string, more: Given = {}): JsonValue => ({ name, in: place, ...more });
const id = parameter('id', 'path', { required: true });

describe('the address', () => {
  test.each<[string, JsonValue, string]>([
    ['the server of the document', document({ parameters: [id] }), 'https://api.example.org/base/things/a%2Fb'],
    [
      'the server of the operation, with variables',
      document({
        parameters: [id],
        servers: [{ url: 'https://{host}:{port}/x', variables: { host: { default: 'h' }, port: { default: 8443 } } }],
      }),
      'https://h:8443/x/things/a%2Fb',
    ],
    [
      'the address of the document without servers',
      { ...(document({ parameters: [id] }) as Given), servers: [] },
      'https://docs.example.org/things/a%2Fb',
    ],
    [
      'a relative server',
      document({ parameters: [id] }, { servers: [{ url: '../v2' }] }),
      'https://docs.example.org/v2/things/a%2Fb',
    ],
    [
      'host and basePath of version 2',
      {
        swagger: '2.0',
        host: 'old.example.org',
        basePath: '/api',
        schemes: ['http'],
        paths: { '/things/{id}': { parameters: [id], post: { operationId: 'op' } } },
      },
      'http://old.example.org/api/things/a%2Fb',
    ],
  ])('%s', (_name, description, expected) => {
    expect(call(description, { id: 'a/b' })).toMatchObject({ method: 'POST', endpoint: expected });
  });
});

describe('parameters', () => {
  test.each<[string, JsonValue, JsonValue, string]>([
    ['form lists repeat the name', parameter('q', 'query'), ['a', 'b c'], '?q=a&q=b+c'],
    ['lists that are not exploded', parameter('q', 'query', { explode: false }), ['a', 'b'], '?q=a%2Cb'],
    ['pipes', parameter('q', 'query', { style: 'pipeDelimited', explode: false }), ['a', 'b'], '?q=a%7Cb'],
    ['deep objects', parameter('q', 'query', { style: 'deepObject' }), { a: 1, b: 'x' }, '?q%5Ba%5D=1&q%5Bb%5D=x'],
    ['form objects', parameter('q', 'query'), { a: 1, b: true }, '?a=1&b=true'],
    [
      'JSON content',
      parameter('q', 'query', { content: { 'application/json': {} } }),
      { a: 1 },
      '?q=%7B%22a%22%3A1%7D',
    ],
    ['a scalar', parameter('q', 'query'), 7, '?q=7'],
  ])('%s', (_name, declared, value, expected) => {
    expect(call(document({ parameters: [declared] }, {}, '/x'), { q: value }).endpoint).toBe(
      `https://api.example.org/base/x${expected}`,
    );
  });

  test('headers and cookies; secrets stay names', () => {
    const description = document(
      {
        parameters: [
          { $ref: '#/components/parameters/key' },
          parameter('sid', 'cookie'),
          parameter('token', 'query'),
          parameter('Authorization', 'header'),
        ],
      },
      { components: { parameters: { key: parameter('X-Key', 'header') } } },
      '/x',
    );
    const given = { 'X-Key': { $secret: 'k' }, sid: 'a b', token: { $secret: 't' }, Authorization: 'ignored' };
    expect(call(description, given)).toMatchObject({
      headers: { 'X-Key': { $secret: 'k' }, cookie: 'sid=a%20b' },
      query: { token: { $secret: 't' } },
    });
  });

  test.each<[string, Given, string]>([
    ['a path parameter without a value', {}, 'the parameter id is required'],
    [
      'a path parameter that leads to another path',
      { id: '..' },
      'path parameters must not form a segment "." or ".."',
    ],
    ['an unknown parameter', { id: 1, other: 2 }, 'the operation has no parameter other'],
    ['a secret in the path', { id: { $secret: 's' } }, 'a secret cannot be the path parameter id'],
  ])('rejects %s', (_name, given, message) => {
    expect(() => call(document({ parameters: [id] }), given)).toThrow(message);
  });
});

describe('the body', () => {
  const body = (types: readonly string[], required = false): Given => ({
    requestBody: { required, content: Object.fromEntries(types.map((type) => [type, {}])) },
  });

  test.each<[string, Given, Given, unknown]>([
    ['what is not declared', body(['application/json']), { id: 1, name: 'n' }, { name: 'n' }],
    ['the parameter `body`', body(['application/json']), { id: 1, body: [1] }, [1]],
    ['a text is JSON', body(['application/json']), { id: 1, body: 'x' }, '"x"'],
    ['a form', body(['application/x-www-form-urlencoded']), { id: 1, a: 'b c', n: 1 }, 'a=b+c&n=1'],
    ['a text', body(['text/plain']), { id: 1, body: 'x' }, 'x'],
  ])('%s', (_name, operation, given, expected) => {
    expect(call(document({ parameters: [id], ...operation }), given).body).toEqual(expected);
  });

  test('of version 2: a form', () => {
    const description = {
      swagger: '2.0',
      host: 'h',
      paths: {
        '/x': { post: { operationId: 'op', parameters: [parameter('a', 'formData'), parameter('b', 'formData')] } },
      },
    };
    expect(call(description, { a: '1', b: ['2', '3'] })).toMatchObject({
      body: 'a=1&b=2%2C3',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  });

  test('rejects a missing body and a type that cannot be written', () => {
    expect(() => call(document({ parameters: [id], ...body(['application/json'], true) }), { id: 1 })).toThrow(
      'the operation requires a body',
    );
    expect(() => call(document({ parameters: [id], ...body(['multipart/form-data']) }), { id: 1, a: 1 })).toThrow(
      'a body of the type multipart/form-data cannot be written',
    );
  });
});

test.each<[string, JsonValue, string]>([
  ['something else', { asyncapi: '3.0.0' }, 'not an OpenAPI document'],
  ['an unknown operation', { openapi: '3.0.0', paths: {} }, 'no operation with this id'],
  [
    'references to other documents',
    { openapi: '3.0.0', paths: { '/x': { $ref: 'other.yaml#/x' } } },
    'references to other documents are not followed',
  ],
  [
    'a reference to itself',
    { openapi: '3.0.0', paths: { '/x': { $ref: '#/paths/~1x' } } },
    'the document has a circular reference',
  ],
])('rejects %s', (_name, description, message) => {
  expect(() => findOperation(description, 'op', SOURCE)).toThrow(message);
});
