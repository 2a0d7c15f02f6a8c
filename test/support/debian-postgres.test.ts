import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { debianPostgres, withoutCluster } from './debian-postgres.mjs';
import { temporaryFolder } from './services/temporary-folder.ts';

test('finds the newest server, and does not mistake a client for one', async () => {
  await temporaryFolder('debian-postgres', async (folder) => {
    expect(debianPostgres(join(folder, 'missing'))).toBeUndefined();
    for (const major of ['9.6', '9', '15', '17']) await mkdir(join(folder, major, 'bin'), { recursive: true });
    await writeFile(join(folder, '17/bin/psql'), '');
    expect(debianPostgres(folder)).toBeUndefined();
    for (const major of ['9', '15']) await writeFile(join(folder, major, 'bin/initdb'), '');
    expect(debianPostgres(folder)).toBe(join(folder, '15/bin/initdb'));
  });
});

test('the package starts no server, unless the machine has other settings', async () => {
  await temporaryFolder('debian-postgres', async (folder) => {
    const file = join(folder, 'postgresql-common/createcluster.conf');
    withoutCluster(file);
    expect(await readFile(file, 'utf8')).toBe('create_main_cluster = false\n');
    await writeFile(file, 'start_conf = auto\n');
    withoutCluster(file);
    expect(await readFile(file, 'utf8')).toBe('start_conf = auto\n');
  });
});
