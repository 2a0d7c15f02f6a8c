import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { dataDirChecks } from '#deploy/doctor/data-dir-checks.ts';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';

const EXTERNAL = { CLICKHOUSE_URL: 'http://clickhouse', DATABASE_URL: 'postgres://postgres/trapline' };

test('an unwritable data directory is an error with embedded engines and a warning without', () =>
  temporaryFolder('doctor', async (folder) => {
    await writeFile(path.join(folder, 'file'), '');
    const stateWith = async (environment: Readonly<Record<string, string>>) => {
      const dataDir = path.join(folder, 'file', 'data');
      const resolved = resolveConfig({ environment: { ...environment, TRAPLINE_DATA_DIR: dataDir } });
      if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
      const [first] = await runChecks(dataDirChecks(resolved.config).slice(0, 1));
      return first;
    };
    expect(await stateWith({})).toMatchObject({ state: 'wrong' });
    const optional = await stateWith(EXTERNAL);
    expect(optional).toMatchObject({ state: 'look' });
    expect(optional?.advice).toContain('set AUTH_SECRET, JWT_SECRET, TRAPLINE_SEAT and S3_BUCKET');
  }));
