import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Manifest, manifestTexts, readManifest, unknownMigrationsOf } from '#deploy/backup/manifest.ts';

const MANIFEST: Manifest = {
  format: 1,
  version: '0.1.0',
  startedAt: '2026-03-01T10:00:00.000Z',
  finishedAt: '2026-03-01T10:01:00.000Z',
  secrets: [{ name: 'AUTH_SECRET', salt: 'AAAA', hash: 'AAAA' }],
  postgres: {
    server: '15.1',
    snapshotAt: '2026-03-01T10:00:01.000Z',
    migrations: ['0001-accounts', '0002-audit-log'],
    tables: [{ name: 'users', columns: ['id'], rows: 3 }],
    sequences: [],
    audit: { entries: 0, head: '' },
  },
  clickhouse: {
    server: '26.7',
    database: 'trapline',
    migrations: [1, 2],
    groups: [{ name: 'events', tables: ['events'], views: [], takenAt: '2026-03-01T10:00:02.000Z' }],
    answers: { 'rows of events': [{ rows: '7' }] },
  },
  files: [{ path: 'postgres/users.copy.gz', bytes: 5, sha256: '0'.repeat(64) }],
};
const { text, marker } = manifestTexts(MANIFEST);

describe('the manifest', () => {
  it('is read as it was written', () => {
    expect(readManifest(text, marker)).toEqual(MANIFEST);
  });

  it('of a cluster has the second format, which earlier versions reject', () => {
    const clickhouse = { ...MANIFEST.clickhouse, shards: ['1', '2'] };
    const cluster: Manifest = { ...MANIFEST, format: 2, clickhouse };
    const written = manifestTexts(cluster);
    expect(readManifest(written.text, written.marker)).toEqual(cluster);
  });

  it.each([
    ['without the marker, which is written last', text, undefined],
    ['without the manifest', undefined, marker],
  ])('is rejected with %s', (_, someText, someMarker) => {
    expect(() => readManifest(someText, someMarker)).toThrow('this backup is not complete');
  });

  it('is rejected if it was changed', () => {
    expect(() => readManifest(text.replace('"rows": 3', '"rows": 4'), marker)).toThrow('changed after the backup');
  });

  it('is rejected in a newer format, whatever else it contains', () => {
    const newer = { format: 3, version: '9.0.0', somethingElse: true };
    const other = `${JSON.stringify(newer)}\n`;
    expect(() => readManifest(other, createHash('sha256').update(other).digest('hex'))).toThrow(
      'install Trapline 9.0.0 or later',
    );
  });

  it.each(['../outside', '/etc/passwd', 'postgres/../../outside', 'postgres/..', ''])(
    'rejects a file outside the backup: %j',
    (path) => {
      const files = [{ path, bytes: 1, sha256: '0'.repeat(64) }];
      expect(() => manifestTexts({ ...MANIFEST, files })).toThrow('a path below the folder');
    },
  );

  it('lists the migrations that this version does not know', () => {
    expect(
      unknownMigrationsOf(MANIFEST, { postgres: ['0001-accounts', '0002-audit-log'], clickhouse: [1, 2, 3] }),
    ).toEqual([]);
    expect(unknownMigrationsOf(MANIFEST, { postgres: ['0001-accounts'], clickhouse: [1] })).toEqual([
      'PostgreSQL 0002-audit-log',
      'ClickHouse 2',
    ]);
  });
});
