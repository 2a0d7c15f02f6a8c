import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataDirectory, claimNamedSeat, claimSeat, DataDirectoryInUse } from '#deploy/processes/instance.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'trapline-instance-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const module = fileURLToPath(new URL('../../../deploy/processes/instance.ts', import.meta.url));

/**
 * A program that claims the directory and starts a detached child, which inherits its standard input and ends when that
 * is closed. Prints the process id of the child.
 */
const outliving = (folder: string) => `
  import { spawn } from 'node:child_process';
  const { claimDataDirectory } = await import(${JSON.stringify(module)});
  await claimDataDirectory(${JSON.stringify(folder)});
  const child = spawn('cat', { stdio: ['inherit', 'ignore', 'ignore'], detached: true });
  child.once('spawn', () => console.log(child.pid));`;

describe('the data directory', () => {
  it('belongs to one live process', async () => {
    const first = await claimDataDirectory(dir);
    await expect(claimDataDirectory(dir)).rejects.toThrow(DataDirectoryInUse);
    await first.release();
    const second = await claimDataDirectory(dir);
    expect(second.id).toBe(first.id);
    await second.release();
  });

  it('is free after its process was killed', async () => {
    const script = `const { claimDataDirectory } = await import(${JSON.stringify(module)});
      await claimDataDirectory(${JSON.stringify(dir)}); console.log('claimed'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect(claimDataDirectory(dir)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await claimDataDirectory(dir)).release();
  });

  it('belongs to one process across network namespaces, as containers have them', async () => {
    const owner = await claimDataDirectory(dir);
    const script = `const { claimDataDirectory } = await import(${JSON.stringify(module)});
      await claimDataDirectory(${JSON.stringify(dir)}).then(() => console.log('claimed'), (error) => console.log(error.message));`;
    const child = spawn(
      'unshare',
      ['--user', '--map-root-user', '--net', '--', process.execPath, '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toContain(`in use by process ${process.pid}`);
    await owner.release();
  });

  it('cannot be locked by an account without access', async () => {
    await (await claimDataDirectory(dir)).release();
    expect((await stat(path.join(dir, 'lock'))).mode & 0o777).toBe(0o600);
  });

  it('can be claimed while another program listens on the former abstract socket lock', async () => {
    const name = createHash('sha256')
      .update(path.join(await realpath(dir), 'lock'))
      .digest('hex');
    const squatter = createServer().listen({ path: `\0trapline-${name}` });
    await once(squatter, 'listening');
    await (await claimDataDirectory(dir)).release();
    squatter.close();
  });

  it('is free if its process was killed while a child of it still runs', async () => {
    const owner = spawn(process.execPath, ['--input-type=module', '-e', outliving(dir)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const survivor = Number((await once(owner.stdout, 'data'))[0]);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await (await claimDataDirectory(dir)).release();
    expect(process.kill(survivor, 0)).toBe(true);
    owner.stdin.end();
  });

  it('that cannot be created is wrong configuration', async () => {
    await writeFile(path.join(dir, 'file'), '');
    await expect(claimDataDirectory(path.join(dir, 'file', 'data'))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('cannot be made (ENOTDIR)'),
    });
  });

  it('is closed to other users', async () => {
    const inner = path.join(dir, 'data');
    await (await claimDataDirectory(inner)).release();
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
  });
});

describe('seats', () => {
  it('give several processes lasting names, and return a seat to the next process', async () => {
    const [first, second] = [await claimSeat(dir), await claimSeat(dir)];
    expect(first?.id).toMatch(/^[0-9a-f]{12}-0$/);
    expect(second?.id).toBe(first?.id.replace(/0$/, '1'));
    await first?.release();
    const third = await claimSeat(dir);
    expect(third?.id).toBe(first?.id);
    await Promise.all([second?.release(), third?.release()]);
  });

  it('with a configured name belong to one process of a role', async () => {
    const held = await claimNamedSeat(dir, 'ingest', 'pod-3');
    expect(held.id).toBe('pod-3');
    await expect(claimNamedSeat(dir, 'ingest', 'pod-3')).rejects.toMatchObject({
      exitCode: 2,
      message: `the seat pod-3 is taken by process ${process.pid}: set TRAPLINE_SEAT to another name in each ingest process`,
    });
    const others = [await claimNamedSeat(dir, 'api', 'pod-3'), await claimNamedSeat(dir, 'ingest', 'pod-4')];
    await Promise.all([held, ...others].map((seat) => seat.release()));
    await (await claimNamedSeat(dir, 'ingest', 'pod-3')).release();
  });

  it('without a data directory are the configured name, or none', async () => {
    const none = path.join(dir, 'file', 'data');
    await writeFile(path.join(dir, 'file'), '');
    expect(await claimSeat(none)).toBeUndefined();
    expect((await claimNamedSeat(none, 'api', 'pod-3')).id).toBe('pod-3');
  });
});
