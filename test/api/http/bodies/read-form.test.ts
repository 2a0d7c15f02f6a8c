import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '#api/http/api-error.ts';
import { type FormLimits, readForm } from '#api/http/bodies/read-form.ts';

const app = Fastify();
let limits: FormLimits = {};
beforeAll(async () => {
  await app.register(multipart, { throwFileSizeLimit: false });
  app.post('/', async (request, reply) => {
    const files: unknown[] = [];
    try {
      const fields = await readForm(
        request,
        async ({ field, filename, bytes, maxBytes }) => {
          let size = 0;
          for await (const chunk of bytes) size += (chunk as Buffer).length;
          files.push([field, filename, size, maxBytes]);
        },
        limits,
      );
      return { fields: [...fields], files };
    } catch (error) {
      const { statusCode = 500 } = error as { readonly statusCode?: number };
      return reply.code(error instanceof ApiError ? 400 : statusCode).send({ error: String(error) });
    }
  });
});
afterAll(() => app.close());

async function send(
  parts: readonly (readonly [name: string, text: string, filename?: string])[],
  more: FormLimits = {},
) {
  limits = more;
  const form = new FormData();
  for (const [name, text, filename] of parts)
    if (filename === undefined) form.append(name, text);
    else form.append(name, new Blob([text]), filename);
  const request = new Request('http://form/', { method: 'POST', body: form });
  const headers = { 'content-type': String(request.headers.get('content-type')) };
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: Buffer.from(await request.bytes()) });
  return { status: answer.statusCode, body: answer.json() };
}

test('reads fields and files in any order, without folders of the client in names', async () => {
  const field = ['_json', '{}'] as const;
  const file = ['report', 'hello', '../../etc/report.csv'] as const;
  const read = { status: 200, body: { fields: [['_json', '{}']], files: [['report', 'report.csv', 5, 100]] } };
  expect(await send([field, file], { allBytes: 100 })).toEqual(read);
  expect(await send([file, field], { allBytes: 100 })).toEqual(read);
});

test('each file gets the remaining bytes, and more than the total is rejected', async () => {
  const two = [
    ['a', '12345', 'a'],
    ['b', '678', 'b'],
  ] as const;
  const { body } = await send(two, { allBytes: 8 });
  expect(body.files).toEqual([
    ['a', 'a', 5, 8],
    ['b', 'b', 3, 3],
  ]);
  expect((await send(two, { allBytes: 7 })).status).toBe(400);
});

test('reads one byte more than the limit of a file, so that the caller detects it', async () => {
  expect((await send([['a', '123456789', 'a']], { fileBytes: 4 })).body.files).toEqual([['a', 'a', 5, 256 * 2 ** 20]]);
});

test('rejects a repeated field, one that is too large, and too many parts', async () => {
  expect(
    (
      await send([
        ['a', '1'],
        ['a', '2'],
      ])
    ).status,
  ).toBe(400);
  expect((await send([['a', '12345']], { fieldBytes: 4 })).status).toBe(400);
  expect(
    (
      await send(
        [
          ['a', '1'],
          ['b', '2'],
        ],
        { fields: 1 },
      )
    ).status,
  ).toBe(413);
  expect(
    (
      await send(
        [
          ['a', '1', 'a'],
          ['b', '2', 'b'],
        ],
        { files: 1 },
      )
    ).status,
  ).toBe(413);
});

test('rejects an incomplete form', async () => {
  limits = {};
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const open = '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\nnever ends';
  for (const payload of [open, '--x\r\n', 'nothing of a form'])
    expect((await app.inject({ method: 'POST', url: '/', headers, payload })).statusCode).toBe(400);
});

test('a field may declare JSON; invalid JSON in it is a client error', async () => {
  limits = {};
  const post = (json: string) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: `--b\r\ncontent-disposition: form-data; name="_json"\r\ncontent-type: application/json\r\n\r\n${json}\r\n--b--\r\n`,
    });
  expect((await post('{"input":{"x":1}}')).json()).toEqual({ fields: [['_json', '{"input":{"x":1}}']], files: [] });
  for (const json of ['{', '', '{"__proto__":{}}']) expect((await post(json)).statusCode).toBe(400);
});
