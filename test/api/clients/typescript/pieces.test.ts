import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pathOf, queryOf } from '#api/clients/typescript/src/call.ts';
import { downloadOf } from '#api/clients/typescript/src/download.ts';
import { errorOf } from '#api/clients/typescript/src/error-of.ts';
import {
  ServiceConnectionError,
  ServiceRateLimitError,
  ServiceTimeoutError,
} from '#api/clients/typescript/src/errors.ts';
import { exactJson, parseExactJson } from '#api/clients/typescript/src/exact-json.ts';
import { fileBody, splitInput } from '#api/clients/typescript/src/form.ts';
import { resolveOptions } from '#api/clients/typescript/src/options.ts';
import { iterateOffsets } from '#api/clients/typescript/src/pages.ts';
import { retryDelay } from '#api/clients/typescript/src/retry.ts';

afterEach(() => vi.unstubAllEnvs());

describe('options', () => {
  test('arguments override the environment, and a key is required', () => {
    vi.stubEnv('SERVICE_API_KEY', '');
    vi.stubEnv('SERVICE_BASE_URL', 'https://env.example.org/');
    expect(() => resolveOptions({})).toThrow('SERVICE_API_KEY');
    vi.stubEnv('SERVICE_API_KEY', 'env.key');
    expect(resolveOptions({})).toMatchObject({
      apiKey: 'env.key',
      baseUrl: 'https://env.example.org',
      timeoutMs: 60_000,
    });
    expect(resolveOptions({ apiKey: 'a.b', baseUrl: 'http://x' })).toMatchObject({
      apiKey: 'a.b',
      baseUrl: 'http://x',
    });
    expect(() => resolveOptions({ baseUrl: 'ftp://x' })).toThrow('baseUrl');
    expect(() => resolveOptions({ timeoutSeconds: 0 })).toThrow('timeoutSeconds');
  });
});

describe('addresses', () => {
  test('encodes a segment with any characters', () => {
    expect(pathOf('a/b', 'größe &?#%')).toBe('/a%2Fb/gr%C3%B6%C3%9Fe%20%26%3F%23%25');
    for (const segment of ['', '.', '..']) expect(() => pathOf(segment)).toThrow(TypeError);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.\.?$/.test(text)),
        (segment) => {
          const { pathname } = new URL(`http://host${pathOf('before', segment)}`);
          expect(decodeURIComponent(pathname.slice('/before/'.length))).toBe(segment);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('encodes a query as the service parses it', () => {
    const query = {
      waitForCompletion: 5,
      hasFeedback: false,
      include: ['files', 'dataset'],
      'exclude.file': ['/srv/a,b', '/srv/c'],
      createdAfter: new Date(0),
    };
    expect(decodeURIComponent(queryOf({ ...query, search: undefined }))).toBe(
      '?wait_for_completion=5&hasFeedback=false&include=files,dataset&exclude.file=/srv/a\\,b,/srv/c&createdAfter=1970-01-01T00:00:00.000Z',
    );
    expect(queryOf({ search: undefined })).toBe('');
  });
});

describe('retries', () => {
  test('wait longer each time, at least as long as Retry-After, up to a limit', () => {
    const busy = new ServiceRateLimitError('busy', { status: 429 });
    const delays = Array.from({ length: 8 }, (_, index) => retryDelay(false, index + 1, busy, 8) ?? 0);
    expect(delays[0]).toBeLessThanOrEqual(500);
    expect(delays[0]).toBeGreaterThanOrEqual(250);
    expect(delays[7]).toBeLessThanOrEqual(8000);
    expect(retryDelay(true, 9, busy, 8)).toBeUndefined();
    expect(retryDelay(false, 1, new ServiceRateLimitError('busy', { retryAfter: 7 }), 3)).toBeGreaterThan(7000);
    expect(retryDelay(true, 1, new ServiceRateLimitError('busy', { retryAfter: 61 }), 3)).toBeUndefined();
    expect(retryDelay(true, 1, new ServiceConnectionError('broke'), 3)).toBeDefined();
    expect(retryDelay(false, 1, new ServiceConnectionError('broke'), 3)).toBeUndefined();
    expect(retryDelay(true, 1, new ServiceTimeoutError('silent'), 3)).toBeUndefined();
  });
});

describe('bodies', () => {
  test('sends Blobs as files and everything else as JSON', async () => {
    const core = new Blob(['x']);
    expect(splitInput({ number: 1, core })).toEqual({ scalars: { number: 1 }, files: [['core', core]] });
    expect(await fileBody('text')).toEqual({ content: 'text' });
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
    expect(await fileBody(bytes)).toEqual({ contentBase64: Buffer.from(bytes).toString('base64') });
    expect(await fileBody(new Blob(['a'], { type: 'text/plain' }))).toEqual({
      contentBase64: 'YQ==',
      contentType: 'text/plain',
    });
  });

  test('writes a bigint with all digits, and everything else as JSON', () => {
    expect(exactJson({ ip: 18446744073709551615n, list: [1n, undefined], none: undefined, at: new Date(0) })).toBe(
      '{"ip":18446744073709551615,"list":[1,null],"at":"1970-01-01T00:00:00.000Z"}',
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['attachment; filename="trace.jsonl"', 'trace.jsonl'],
    [`attachment; filename="_"; filename*=UTF-8''gr%C3%B6%C3%9Fe.md`, 'größe.md'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename=plain.txt', 'plain.txt'],
    ['attachment', undefined],
  ])('reads the name %s as %s', (header, name) => {
    const headers = new Headers({ 'content-disposition': header });
    expect(downloadOf(headers, new ReadableStream()).filename).toBe(name);
  });

  test('reads integers beyond 2^53 as bigints, and everything else as JSON', () => {
    expect(parseExactJson('{"ip":18446744073709551615,"n":-9007199254740993,"small":9007199254740991}')).toEqual({
      ip: 18446744073709551615n,
      n: -9007199254740993n,
      small: 9007199254740991,
    });
    expect(
      parseExactJson('[1.23456789012345678,1234567890123456e3,"18446744073709551615","\\"18446744073709551615"]'),
    ).toEqual([1.2345678901234567, 1234567890123456e3, '18446744073709551615', '"18446744073709551615']);
    expect(() => parseExactJson('{"a":18446744073709551615')).toThrow(SyntaxError);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseExactJson(JSON.stringify({ value, ip: '18446744073709551615' }))).toEqual(
          JSON.parse(JSON.stringify({ value, ip: '18446744073709551615' }), (_, one) =>
            Number.isInteger(one) && !Number.isSafeInteger(one) && Math.abs(one) < 1e21
              ? BigInt(JSON.stringify(one))
              : one,
          ),
        );
      }),
      { numRuns: 200 },
    );
    const long = `{"text":"${'a\\\\'.repeat(2_000_000)}","ip":18446744073709551615}`;
    expect((parseExactJson(long) as { ip: bigint }).ip).toBe(18446744073709551615n);
  });

  test('a response of a proxy is an error without an envelope', () => {
    const error = errorOf(new Response(null, { status: 502, headers: { 'x-request-id': 'r1' } }), '<html>');
    expect(error).toMatchObject({
      name: 'ServiceServerError',
      status: 502,
      requestId: 'r1',
      envelope: undefined,
      issues: [],
    });
  });
});

describe('pages', () => {
  test('returns an item that moves to the next page once', async () => {
    const items = Array.from({ length: 7 }, (_, index) => ({ id: `e${index}` }));
    const pageOf = async (offset: number) => {
      // A new item appears at the front between two pages.
      if (offset > 0) items.unshift({ id: `new${offset}` });
      return { items: items.slice(offset, offset + 3), total: items.length };
    };
    const seen: string[] = [];
    for await (const { id } of iterateOffsets(pageOf)) seen.push(id);
    expect(seen).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
  });
});
