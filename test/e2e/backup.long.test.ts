import { cp, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '#deploy/backup/manifest.ts';
import type { TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { changeSomething, crash, inHome, start, trapline } from './backup-services.ts';

/**
 * Tests `trapline backup` of a running service on the embedded engines, and `trapline restore` into an empty data
 * directory.
 */

describe('on the embedded engines', () => {
  it('a backup of the running service is restored into an empty data directory', { timeout: 300_000 }, async () => {
    const service = await start({}, inHome('source'));
    const source = service.dataDir;
    await changeSomething(service);
    const { url, key } = await addressOf(service);
    let traffic = true;
    let sent = 0;
    const sending = (async () => {
      while (traffic) {
        const body = Array.from({ length: 20 }, () => `${crash(sent++)}\n`).join('');
        const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
        expect((await fetch(`${url}/api/events`, { method: 'POST', body, headers })).status).toBe(200);
        await pause(20);
      }
    })();
    await waitFor('some events', () => sent > 40);
    const folder = inHome('embedded');
    const taken = await trapline(['backup', folder], { TRAPLINE_DATA_DIR: source });
    traffic = false;
    await sending;
    expect(taken.code, taken.text).toBe(0);
    expect(await readdir(path.join(source, 'clickhouse', 'data', 'backups'))).toEqual([]);
    const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const text = JSON.stringify(manifest);
    for (const name of ['auth.secret', 'jwt.secret', 'operator.key'])
      expect(text).not.toContain((await readFile(path.join(source, name), 'utf8')).trim());
    const many = ['backup', '--into', inHome('many'), '--keep', '1'];
    expect(await trapline(many, { TRAPLINE_DATA_DIR: source })).toMatchObject({ code: 0 });
    const [first = ''] = await readdir(inHome('many'));
    expect(await trapline(many, { TRAPLINE_DATA_DIR: source })).toMatchObject({
      code: 0,
      text: expect.stringContaining(`deleted: ${first}\n`),
    });
    const [last = '', ...others] = await readdir(inHome('many'));
    expect(others).toEqual([]);
    const audited = await fetch(`${url}/api/admin/audit-log?action=backup.create`, { headers: { 'x-api-key': key } });
    expect(((await audited.json()) as { data: { target: string }[] }).data.map(({ target }) => target)).toEqual([
      `backup:${inHome('many', last)}`,
      `backup:${inHome('many', first)}`,
      `backup:${folder}`,
    ]);
    await service.stop(60_000);

    const target = inHome('target', 'data');
    await mkdir(target, { recursive: true });
    const settings = { TRAPLINE_DATA_DIR: target };
    expect(await trapline(['restore', folder], settings)).toMatchObject({
      code: 2,
      text: expect.stringContaining('AUTH_SECRET is not set'),
    });
    for (const name of ['auth.secret', 'jwt.secret']) await cp(path.join(source, name), path.join(target, name));

    const file = manifest.files.find((one) => /^clickhouse\/events\/.*\.bin$/.test(one.path));
    const damaged = path.join(folder, file?.path ?? '');
    await flipByte(damaged);
    expect(await trapline(['restore', folder], settings)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${file?.path} was changed`),
    });
    expect(await readdir(target)).toEqual(expect.not.arrayContaining(['clickhouse', 'postgres']));
    await flipByte(damaged);

    const restored = await trapline(['restore', folder, '--verify'], settings);
    expect(restored.text).toContain('restored and verified');
    expect(restored.text).toMatch(/rows of events: [1-9]\d*, as in the backup/);
    const again = await start({}, inHome('target'));
    const there = await addressOf(again);
    const response = await fetch(`${there.url}/api/admin/audit-log/verify`, { headers: { 'x-api-key': there.key } });
    expect(await response.json()).toMatchObject({ broken: null, verified: manifest.postgres.audit.entries });

    await rm(path.join(folder, 'complete'));
    expect(await trapline(['restore', folder, '--check'], settings)).toMatchObject({
      code: 1,
      text: expect.stringContaining('this backup is not complete'),
    });
  });
});

async function addressOf({ dataDir }: TraplineProcess): Promise<{ url: string; key: string }> {
  const { url } = JSON.parse(await readFile(path.join(dataDir, 'server.json'), 'utf8')) as { url: string };
  return { url, key: (await readFile(path.join(dataDir, 'operator.key'), 'utf8')).trim() };
}

async function flipByte(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: 50 });
  buffer[0] = (buffer[0] ?? 0) ^ 1;
  await handle.write(buffer, 0, 1, 50);
  await handle.close();
}
