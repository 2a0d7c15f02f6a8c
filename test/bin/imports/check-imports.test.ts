import { describe, expect, test } from 'vitest';
import { folderOf, forbiddenImports, importCircles } from '../../../bin/imports/check-imports.ts';
import type { Import } from '../../../bin/imports/read-imports.ts';
import { MAY_IMPORT } from '../../../bin/imports/table.ts';

const imported = (specifier: string, file?: string): Import => ({ specifier, file, line: 1 });
const of = (file: string, ...list: Import[]) => new Map([[file, list]]);

describe('import directions', () => {
  test('a folder may import what its line permits, and itself', () => {
    expect(forbiddenImports(of('ingest/a.ts', imported('#schemas/b.ts', 'schemas/b.ts')))).toEqual([]);
    expect(forbiddenImports(of('api/audit/a.ts', imported('./b.ts', 'api/audit/b.ts')))).toEqual([]);
  });

  test('reports every other import with its line', () => {
    expect(forbiddenImports(of('schemas/a.ts', imported('#api/app.ts', 'api/app.ts')))).toEqual([
      'schemas/a.ts:1: schemas/ may not import #api/app.ts: see bin/imports/table.ts',
    ]);
    expect(forbiddenImports(of('api/audit/a.ts', imported('#api/agents/b.ts', 'api/agents/b.ts')))).toHaveLength(1);
    expect(forbiddenImports(of('deploy/a.ts', imported('#test/b.ts', 'test/b.ts')))).toHaveLength(1);
  });

  test('another folder is imported by its name', () => {
    expect(forbiddenImports(of('ingest/a.ts', imported('../schemas/b.ts', 'schemas/b.ts')))).toEqual([
      'ingest/a.ts:1: import another room by its name: #schemas/b.ts',
    ]);
  });

  test('another subject of api/ is imported by its name', () => {
    expect(forbiddenImports(of('api/scim/a.ts', imported('../accounts/b.ts', 'api/accounts/b.ts')))).toEqual([
      'api/scim/a.ts:1: import another subject by its name: #api/accounts/b.ts',
    ]);
    expect(forbiddenImports(of('api/scim/routes/a.ts', imported('../b.ts', 'api/scim/b.ts')))).toEqual([]);
    expect(forbiddenImports(of('api/app.ts', imported('./scim/b.ts', 'api/scim/b.ts')))).toEqual([]);
  });

  test('rejects a package elsewhere than in the folder that owns it', () => {
    expect(forbiddenImports(of('ingest/pipeline/a.ts', imported('kafkajs')))).toHaveLength(1);
    expect(forbiddenImports(of('ingest/kafka/a.ts', imported('kafkajs')))).toEqual([]);
    expect(forbiddenImports(of('api/http/a.ts', imported('@clickhouse/client')))).toHaveLength(1);
  });

  test('rejects a folder without a line', () => {
    expect(forbiddenImports(of('unknown/a.ts', imported('#schemas/b.ts', 'schemas/b.ts')))).toHaveLength(1);
  });

  test('the table has no cycle, and contains only existing folders', () => {
    const reached = (folder: string, path: readonly string[]): string[] => {
      if (path.includes(folder)) return [[...path, folder].join(' -> ')];
      const next = (MAY_IMPORT[folder] ?? '').split(' ').filter((name) => name !== '' && name !== folder);
      return next.flatMap((name) => (name === '*' ? [] : reached(name, [...path, folder])));
    };
    for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
      for (const name of allowed.split(' ').filter((one) => one !== '' && one !== '*'))
        expect(MAY_IMPORT).toHaveProperty([name]);
      expect(reached(folder, [])).toEqual([]);
    }
  });
});

test('the longest matching folder decides', () => {
  expect(folderOf('api/agents/run/runner.ts')).toBe('api/agents');
  expect(folderOf('api/app.ts')).toBe('api');
});

describe('cycles', () => {
  test('files that import each other form one cycle', () => {
    const imports = new Map([
      ['a', [imported('b', 'b')]],
      ['b', [imported('c', 'c')]],
      ['c', [imported('a', 'a')]],
      ['d', [imported('a', 'a')]],
    ]);
    expect(importCircles(imports)).toEqual([['a', 'b', 'c']]);
  });
});
