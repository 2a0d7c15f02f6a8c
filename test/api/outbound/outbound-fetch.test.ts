import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SecurityEvent } from '#api/http/security-events.ts';
import { createOutboundFetch, type OutboundDeps, type OutboundLimits } from '#api/outbound/outbound-fetch.ts';
import type { OutboundFailureReason, OutboundRefusal } from '#api/outbound/port.ts';
import { reportForgery } from '#api/outbound/report-forgery.ts';
import { waitFor } from '../../support/wait-for.ts';
import { privateIpv4 } from './arbitrary-address.ts';
import { startWebServer } from './web-server.ts';

function outbound(deps: Partial<OutboundDeps> = {}, limits: OutboundLimits = {}) {
  const refusals: OutboundRefusal[] = [];
  const fetch = createOutboundFetch(
    { allow: [], resolve: async () => ['127.0.0.1'], onRefusal: (refusal) => refusals.push(refusal), ...deps },
    limits,
  );
  onTestFinished(() => fetch.close());
  return { fetch, refusals };
}

const LOOPBACK = { allow: ['127.0.0.0/8'] };
const failure = (reason: OutboundFailureReason) => expect.objectContaining({ name: 'OutboundFailure', reason });

describe('an address is rejected before anything is sent', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://127。0。0。1:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://0:PORT/',
    'http://[::]:PORT/',
    'http://[::1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2001:0:7f00:1::]:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    'http:127.0.0.1:PORT',
    ' http://127.0.0.1:PORT/\n',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://100.100.100.200/latest/meta-data/',
    'http://168.63.129.16/machine?comp=goalstate',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://LOCALHOST:PORT/',
    'http://rebound.example:PORT/',
    'https://rebound.example:PORT/',
  ])('%s', async (template) => {
    const server = await startWebServer((_request, response) => response.end('inside'));
    const { fetch, refusals } = outbound();
    await expect(fetch({ url: template.replace('PORT', String(server.port)) })).rejects.toEqual(
      failure('forbidden_address'),
    );
    expect(server.connections()).toBe(0);
    expect(refusals).toHaveLength(1);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://203.0.113.1/',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/plain,x',
    'javascript:1',
    'unix:/var/run/docker.sock',
    'http://user:secret@public.example/',
    'http://user@public.example/',
    'http://public.example:22/',
    'http://public.example:25/',
    'http://public.example:6000/',
    'http://public.example:0/',
    'http://public.example:70000/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://exa mple.com/',
    'http://1.2.3.4.5/',
    'http://',
    '//public.example/',
    '',
    `http://public.example/${'a'.repeat(9000)}`,
  ])('%s', async (url) => {
    const { fetch, refusals } = outbound();
    await expect(fetch({ url })).rejects.toEqual(failure('forbidden_url'));
    expect(refusals[0]?.message).not.toContain('secret');
  });

  test('in any textual form of a private address', async () => {
    const { fetch } = outbound();
    const number = fc.constantFrom(
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0X${value.toString(16).toUpperCase()}`,
      (value: number) => `0${value.toString(8)}`,
      (value: number) => `0x000${value.toString(16)}`,
    );
    const form = fc
      .tuple(privateIpv4, fc.integer({ min: 1, max: 4 }), fc.array(number, { minLength: 4, maxLength: 4 }))
      .map(([octets, parts, write]) => {
        // The last part covers all remaining octets: 127.1 is 127.0.0.1.
        const last = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
        return [...octets.slice(0, parts - 1), last].map((value, i) => write[i]?.(value)).join('.');
      });
    const mapped = privateIpv4.map(([a, b, c, d]) => `[::ffff:${a}.${b}.${c}.${d}]`);
    const dots = fc.constantFrom('.', '。', '．', '｡');
    await fc.assert(
      fc.asyncProperty(fc.oneof(form, mapped), dots, fc.constantFrom('', '.'), async (host, dot, end) => {
        const spelled = host.startsWith('[') ? host : host.replaceAll('.', dot) + end;
        await expect(fetch({ url: `http://${spelled}:8080/` })).rejects.toEqual(failure('forbidden_address'));
      }),
      { numRuns: 300 },
    );
  });

  test('if one of several addresses is private', async () => {
    const { fetch } = outbound({ resolve: async () => ['203.0.114.1', '10.0.0.1'] });
    await expect(fetch({ url: 'http://mixed.example/' })).rejects.toEqual(failure('forbidden_address'));
  });

  test.each([['fe80::1%eth0'], ['::ffff:10.0.0.1'], ['64:ff9b::a00:1']])(
    'for a name that resolves to %s',
    async (address) => {
      const { fetch } = outbound({ resolve: async () => [address] });
      await expect(fetch({ url: 'http://name.example/' })).rejects.toEqual(failure('forbidden_address'));
    },
  );

  test.each([
    ['host', 'internal.example'],
    ['Transfer-Encoding', 'chunked'],
    ['content-length', '3'],
    ['x-note', 'one\r\nhost: internal'],
    ['x note', 'one'],
  ])('with the header %s', async (name, value) => {
    const { fetch } = outbound(LOOPBACK);
    await expect(fetch({ url: 'http://name.example:8080/', headers: { [name]: value } })).rejects.toEqual(
      failure('forbidden_header'),
    );
  });
});

describe('a name that resolves differently the second time', () => {
  test('is connected to the verified address, or not at all', async () => {
    const server = await startWebServer((_request, response) => response.end('once'));
    let lookups = 0;
    const { fetch } = outbound({
      allow: ['127.0.0.1'],
      // A permitted address first, then another address of the same machine.
      resolve: async () => (lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
    });
    const url = `http://rebinding.example:${server.port}/`;
    expect((await fetch({ url })).body.toString()).toBe('once');
    expect(lookups).toBe(1);
    await expect(fetch({ url })).rejects.toEqual(failure('forbidden_address'));
    expect(server.requests).toHaveLength(1);
  });

  test('stays in the Host header, and is not resolved again', async () => {
    const server = await startWebServer((request, response) => response.end(request.headers.host));
    const { fetch } = outbound({
      ...LOOPBACK,
      resolve: async (name) => (name === 'public.example' ? ['127.0.0.1'] : []),
    });
    const response = await fetch({ url: `http://Public.Example:${server.port}/` });
    expect(response.body.toString()).toBe(`public.example:${server.port}`);
  });
});

describe('the allow list', () => {
  test.each([
    ['127.0.0.1:PORT', 'http://name.example:PORT/'],
    ['127.0.0.1:PORT', 'http://0x7f.1:PORT/'],
    ['name.example:PORT', 'http://NAME.example.:PORT/'],
    ['127.0.0.0/8', 'http://127.0.0.1:PORT/'],
    ['127.0.0.1', 'http://[::ffff:7f00:1]:PORT/'],
  ])('%s permits %s', async (entry, url) => {
    const server = await startWebServer((_request, response) => response.end('inside'));
    const at = (template: string) => template.replace('PORT', String(server.port));
    const { fetch } = outbound({ allow: [at(entry)] });
    expect((await fetch({ url: at(url) })).status).toBe(200);
  });

  test.each([
    ['127.0.0.1:1', 'http://127.0.0.1:8080/'],
    ['other.example:8080', 'http://name.example:8080/'],
    ['10.0.0.0/8', 'http://127.0.0.1:8080/'],
    ['fd00::/8', 'http://127.0.0.1:8080/'],
  ])('%s does not permit %s', async (entry, url) => {
    const { fetch } = outbound({ allow: [entry] });
    await expect(fetch({ url })).rejects.toEqual(failure('forbidden_address'));
  });
});

describe('a response', () => {
  test('with a redirect is returned, and the redirect is not followed', async () => {
    const inside = await startWebServer((_request, response) => response.end('inside'));
    const server = await startWebServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/latest/meta-data/` }).end(),
    );
    const { fetch } = outbound({ allow: [`127.0.0.1:${server.port}`] });
    const response = await fetch({ url: `http://127.0.0.1:${server.port}/` });
    expect(response.status).toBe(302);
    expect(inside.connections()).toBe(0);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('is decompressed from %s', async (coding, compress) => {
    const server = await startWebServer((_request, response) =>
      response.setHeader('content-encoding', coding).end(compress('some text')),
    );
    const { fetch } = outbound(LOOPBACK);
    const response = await fetch({ url: `http://127.0.0.1:${server.port}/` });
    expect(response.body.toString()).toBe('some text');
  });

  const zeros = Buffer.alloc(200 * 2 ** 20);
  test.each([
    ['gzip', gzipSync(zeros, { level: 1 })],
    ['deflate', deflateSync(zeros, { level: 1 })],
    ['br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zstdCompressSync(zeros)],
  ])('that is a compression bomb in %s is stopped at the limit', async (coding, bomb) => {
    const server = await startWebServer((_request, response) =>
      response.setHeader('content-encoding', coding).end(bomb),
    );
    const { fetch } = outbound(LOOPBACK);
    const before = process.memoryUsage().rss;
    await expect(fetch({ url: `http://127.0.0.1:${server.port}/` })).rejects.toEqual(failure('too_large'));
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 2 ** 20);
  });

  test('with endless empty compressed blocks is stopped at the limit', async () => {
    const empty = Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync('')));
    const server = await startWebServer((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      const more = () => {
        while (!response.destroyed && response.write(empty));
      };
      response.on('drain', more);
      more();
    });
    const { fetch } = outbound(LOOPBACK, { maxBytes: 2 ** 20 });
    await expect(fetch({ url: `http://127.0.0.1:${server.port}/` })).rejects.toEqual(failure('too_large'));
  });

  test.each([
    ['announced', true],
    ['not announced', false],
  ])('that is too large, %s, is stopped', async (_case, announced) => {
    const server = await startWebServer((_request, response) => {
      if (announced) response.setHeader('content-length', 5 * 2 ** 20 + 1);
      response.write('x');
      response.end(Buffer.alloc(5 * 2 ** 20));
    });
    const { fetch } = outbound(LOOPBACK);
    await expect(fetch({ url: `http://127.0.0.1:${server.port}/` })).rejects.toEqual(failure('too_large'));
  });

  test('of exactly the limit is accepted', async () => {
    const server = await startWebServer((_request, response) => response.end(Buffer.alloc(1000)));
    const { fetch } = outbound(LOOPBACK);
    const response = await fetch({ url: `http://127.0.0.1:${server.port}/`, maxBytes: 1000 });
    expect(response.body).toHaveLength(1000);
  });

  test('that trickles is stopped at the time limit', async () => {
    const server = await startWebServer((_request, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const { fetch } = outbound(LOOPBACK, { timeoutMs: 200 });
    await expect(fetch({ url: `http://127.0.0.1:${server.port}/` })).rejects.toEqual(failure('timeout'));
  });

  test.each([
    ['headers that trickle', 'HTTP/1.1 200 OK\r\nx-', 'timeout'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(3_000)}`, 'too_large'],
    ['another protocol', '-ERR unknown command\r\n', 'broken_response'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 'broken_response'],
    [
      'a coding that it does not have',
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf',
      'broken_response',
    ],
    [
      'several codings',
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: 4\r\n\r\nhalf',
      'broken_response',
    ],
  ] as const)('with %s', async (name, bytes, reason) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => (name === 'headers that trickle' ? socket.write(bytes) : socket.end(bytes)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { fetch } = outbound(LOOPBACK, { timeoutMs: reason === 'timeout' ? 400 : 60_000 });
    const { port } = server.address() as AddressInfo;
    await expect(fetch({ url: `http://127.0.0.1:${port}/` })).rejects.toEqual(failure(reason));
  });
});

describe('without a response', () => {
  test('does not wait for an unresponsive resolver', async () => {
    const { fetch } = outbound({ resolve: () => new Promise(() => {}) }, { timeoutMs: 100 });
    await expect(fetch({ url: 'http://slow.example/' })).rejects.toEqual(failure('timeout'));
  });

  test('a name without addresses is unresolvable', async () => {
    const { fetch } = outbound({ resolve: async () => [] });
    await expect(fetch({ url: 'http://none.example/' })).rejects.toEqual(failure('unresolvable'));
  });

  test('a closed port is unreachable; the next address of the name is tried', async () => {
    const { fetch } = outbound({ ...LOOPBACK, resolve: async () => ['127.0.0.2', '127.0.0.1'] });
    const server = await startWebServer((_request, response) => response.end('second'));
    expect((await fetch({ url: `http://two.example:${server.port}/` })).body.toString()).toBe('second');
    await expect(fetch({ url: 'http://two.example:1024/' })).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'cannot connect to the server: the connection was refused (ECONNREFUSED)',
    });
  });

  test('the caller can abort', async () => {
    const server = await startWebServer(() => {});
    const stop = new AbortController();
    const { fetch } = outbound(LOOPBACK);
    const asked = fetch({ url: `http://127.0.0.1:${server.port}/`, signal: stop.signal });
    stop.abort();
    await expect(asked).rejects.toEqual(failure('aborted'));
  });
});

test('closing aborts requests in flight, and no request starts after it', async () => {
  const server = await startWebServer(() => {});
  const { fetch } = outbound(LOOPBACK);
  const url = `http://127.0.0.1:${server.port}/`;
  const asked = fetch({ url });
  await waitFor('the request to arrive', () => server.requests.length === 1);
  await Promise.all([expect(asked).rejects.toEqual(failure('aborted')), fetch.close()]);
  await expect(fetch({ url })).rejects.toEqual(failure('aborted'));
  expect(server.requests).toHaveLength(1);
});

test('reuses connections while the addresses stay the same', async () => {
  const server = await startWebServer((_request, response) => response.end('x'));
  const { fetch } = outbound(LOOPBACK);
  for (let i = 0; i < 10; i++) await fetch({ url: `http://name.example:${server.port}/${i}` });
  expect(server.requests).toHaveLength(10);
  expect(server.connections()).toBeLessThan(5);
});

test('sends bodies and methods', async () => {
  const server = await startWebServer((request, response) => void request.pipe(response));
  const { fetch } = outbound(LOOPBACK);
  const url = `http://127.0.0.1:${server.port}/hook?a=1#fragment`;
  expect((await fetch({ url, method: 'POST', body: '{"a":1}' })).body.toString()).toBe('{"a":1}');
  expect((await fetch({ url, method: 'HEAD' })).status).toBe(200);
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/hook?a=1' });
});

test('a forbidden address from a client is a security event; an internal one is not', async () => {
  const events: SecurityEvent[] = [];
  const { fetch } = outbound({ onRefusal: reportForgery((event) => events.push(event)) });
  const origin = { ip: '203.0.113.9', userAgent: 'curl', requestId: 'request-1' };
  await expect(fetch({ url: 'http://169.254.169.254/', origin })).rejects.toEqual(failure('forbidden_address'));
  await expect(fetch({ url: 'http://169.254.169.254/' })).rejects.toEqual(failure('forbidden_address'));
  expect(events).toEqual([{ kind: 'request-forgery', origin, subject: 'forbidden_address' }]);
});
