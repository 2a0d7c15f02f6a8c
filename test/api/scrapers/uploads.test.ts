import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { SecurityEvent } from '#api/http/security-events.ts';
import { uploadsRoute } from '#api/scrapers/uploads/route.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY, operatorGuard, runApp } from '../running-app.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function running(files: Record<string, string | Uint8Array> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-uploads-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = join(dataDir, 'tmp');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  await writeFile(join(dataDir, 'operator.key'), 'the secret of the operator');
  const events: SecurityEvent[] = [];
  const app = await runApp({
    deps: { guard: { ...operatorGuard(), report: (event) => events.push(event) } },
    prepare: (server) => uploadsRoute(server, { dataDir }),
  });
  return { ...app, dataDir, folder, events, fetchFile: (name: string) => app.get(`/api/uploads?filename=${name}`) };
}

test('returns a file unchanged, as an attachment without content sniffing', async () => {
  const { fetchFile } = await running({ 'pixel-1.png': PNG });
  const response = await fetchFile('pixel-1.png');
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(PNG.length),
    'content-disposition': 'attachment; filename="pixel-1.png"',
    'x-content-type-options': 'nosniff',
  });
});

test.each([
  ['a picture called text', 'picture.txt', PNG, 'image/png'],
  ['a program called picture', 'program.png', Buffer.from('7f454c4602010100', 'hex'), 'application/x-elf'],
  ['text', 'note.txt', 'Grüße\n', 'text/plain; charset=utf-8'],
  ['text called picture', 'note.png', 'no picture', 'text/plain; charset=utf-8'],
  ['a page', 'page.html', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
  ['text in another coding', 'latin.txt', Buffer.from('Grüße', 'latin1'), 'application/octet-stream'],
  ['text with control characters', 'escape.txt', 'a\u001b[2Jb', 'application/octet-stream'],
  ['nothing', 'empty.txt', '', 'application/octet-stream'],
  ['long text with a character over the edge', 'long.txt', `${'a'.repeat(4_099)}üüü`, 'text/plain; charset=utf-8'],
  ['a zip that breaks off', 'half.zip', Buffer.from('504b030414', 'hex'), 'application/zip'],
])('detects the type from the content: %s', async (_case, name, content, type) => {
  const { fetchFile } = await running({ [name]: content });
  const response = await fetchFile(name);
  expect(response.headers.get('content-type')).toBe(type);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
});

test.each([
  '../operator.key',
  '..%2foperator.key',
  '%2e%2e%2foperator.key',
  '..\\operator.key',
  '/etc/passwd',
  '.key',
  'operator',
  'a.b.c',
  'a.',
  'a.toolongext',
  'a%00.txt',
  'a b.txt',
  'ä.txt',
  'a.tx%0at',
  '',
  `${'a'.repeat(201)}.txt`,
])('a name outside the permitted pattern is a 400: %s', async (name) => {
  const { fetchFile } = await running();
  expect((await fetchFile(name)).status).toBe(400);
});

test('no name returns a file outside the folder', async () => {
  const { fetchFile } = await running({ 'a.txt': 'a' });
  const part = fc.constantFrom('..', '/', '\\', '.', 'operator', 'key', '%2f', '%00', 'tmp', 'a.txt', '~');
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
      const response = await fetchFile(encodeURIComponent(parts.join('')));
      const text = await response.text();
      expect([200, 400, 404]).toContain(response.status);
      expect(text).not.toContain('the secret of the operator');
    }),
    { numRuns: 100 },
  );
});

test.each(['filename=a.txt&filename=b.txt', 'filename[$ne]=a.txt', 'filename=a.txt&as=html', ''])(
  'an invalid query is a 400: %s',
  async (query) => {
    const { get } = await running({ 'a.txt': 'a' });
    expect((await get(`/api/uploads?${query}`)).status).toBe(400);
  },
);

test('an attempt to leave the folder is a security event; a wrong name alone is not', async () => {
  const { fetchFile, events } = await running();
  await fetchFile('..%2foperator.key');
  await fetchFile('wrong');
  await waitFor('the report', () => events.length > 0);
  expect(events).toMatchObject([{ kind: 'path-traversal', subject: '/api/uploads' }]);
});

test('follows neither symbolic nor hard links, nor a linked folder', async () => {
  const { fetchFile, folder, dataDir } = await running();
  await symlink(join(dataDir, 'operator.key'), join(folder, 'soft.key'));
  await symlink('../operator.key', join(folder, 'relative.key'));
  await link(join(dataDir, 'operator.key'), join(folder, 'hard.key'));
  await symlink(join(folder, 'soft.key'), join(folder, 'twice.key'));
  for (const name of ['soft.key', 'relative.key', 'hard.key', 'twice.key'])
    expect((await fetchFile(name)).status).toBe(404);

  await rm(folder, { recursive: true });
  await symlink(dataDir, folder);
  expect((await fetchFile('operator.key')).status).toBe(404);
});

test('a path that is not a regular file is a 404, without a delay', async () => {
  const { fetchFile, folder } = await running();
  await mkdir(join(folder, 'folder.d'));
  execFileSync('mkfifo', [join(folder, 'pipe.txt')]);
  for (const name of ['folder.d', 'pipe.txt', 'none.txt']) expect((await fetchFile(name)).status).toBe(404);
});

test('the description has a binary response', async () => {
  const { app } = await running();
  const { paths } = app.swagger() as { paths: Record<string, { get: { responses: Record<string, object> } }> };
  expect(paths['/api/uploads']?.get.responses['200']).toMatchObject({
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  });
});

test('returns nothing without the folder', async () => {
  const { fetchFile, folder } = await running();
  await rm(folder, { recursive: true });
  expect((await fetchFile('a.txt')).status).toBe(404);
});

test('closes files after responses, rejections and disconnects', async () => {
  const { fetchFile, folder, port } = await running({ 'a.txt': 'a', 'big.bin': Buffer.alloc(32 * 2 ** 20) });
  await mkdir(join(folder, 'folder.d'));
  const open = () => readdirSync('/proc/self/fd').length;
  await (await fetchFile('a.txt')).text();
  const before = open();
  for (let i = 0; i < 20; i++) {
    await (await fetchFile('a.txt')).text();
    await (await fetchFile('folder.d')).text();
    await new Promise<void>((resolve) => {
      const request = httpGet(
        { port, host: '127.0.0.1', path: '/api/uploads?filename=big.bin', headers: { 'x-api-key': OPERATOR_KEY } },
        (response) => response.once('data', () => response.destroy()),
      );
      request.on('close', resolve).on('error', () => {});
    });
  }
  await waitFor('files to be closed', () => open() <= before + 4);
});
