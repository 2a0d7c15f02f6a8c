import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';

/**
 * Versions of the layout. `cluster` adds the shards of a cluster and is used only for clusters, so older products can
 * read all other backups.
 */
export const FORMATS = { server: 1, cluster: 2 } as const;
/** The newest layout that this version reads. */
const NEWEST_FORMAT = FORMATS.cluster;

const count = z.number().int().nonnegative();

const fileSchema = z.strictObject({
  /** Path below the folder of the backup, with `/`. */
  path: z
    .string()
    .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\0](?:[^\0]*[^/\0])?$/, 'must be a path below the folder of the backup'),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Results of the check queries on the tables, as rows of strings. */
const answersSchema = z.record(z.string(), z.array(z.record(z.string(), z.string())));

const manifestSchema = z.strictObject({
  format: z.union([z.literal(FORMATS.server), z.literal(FORMATS.cluster)]),
  /** Version of the product that wrote it. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  secrets: z.array(z.strictObject({ name: z.string(), salt: z.base64(), hash: z.base64() })),
  postgres: z.strictObject({
    server: z.string(),
    /** When the snapshot of the database was taken. */
    snapshotAt: z.iso.datetime(),
    migrations: z.array(z.string()),
    tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()), rows: count })),
    sequences: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    audit: z.strictObject({ entries: count, head: z.string() }),
  }),
  clickhouse: z.strictObject({
    server: z.string(),
    database: z.string(),
    migrations: z.array(z.number().int()),
    /** Where the server wrote its part; undefined if that is in this folder. */
    destination: z.string().optional(),
    /**
     * Names of the shards of a cluster, home shard first; undefined with one server. The check results are then per
     * shard.
     */
    shards: z.array(z.string()).optional(),
    /** In the order in which they were taken. */
    groups: z.array(
      z.strictObject({
        name: z.string(),
        tables: z.array(z.string()),
        views: z.array(z.string()),
        takenAt: z.iso.datetime(),
      }),
    ),
    answers: answersSchema,
  }),
  files: z.array(fileSchema),
});

export type Manifest = z.output<typeof manifestSchema>;
export type BackupFile = z.output<typeof fileSchema>;
export type Answers = z.output<typeof answersSchema>;

/** Returns the text of a manifest, and of the marker that completes the backup. The marker must be written last. */
export function manifestTexts(manifest: Manifest): { readonly text: string; readonly marker: string } {
  const text = `${JSON.stringify(manifestSchema.parse(manifest), null, 1)}\n`;
  return { text, marker: `${digestOf(text)}\n` };
}

/** Reads a manifest. Throws a `CommandError` if the backup is incomplete, altered, or in a newer format. */
export function readManifest(text: string | undefined, marker: string | undefined): Manifest {
  if (text === undefined || marker === undefined)
    throw new CommandError('this backup is not complete: it was interrupted, or a part of it is missing');
  if (digestOf(text) !== marker.trim())
    throw new CommandError(
      'manifest.json was changed after the backup: its checksum differs from the one in `complete`',
    );
  const value: unknown = JSON.parse(text);
  const { format, version } = z.looseObject({ format: z.number(), version: z.string() }).parse(value);
  if (format > NEWEST_FORMAT)
    throw new CommandError(
      `the backup has format ${format} of Trapline ${version}, and this version reads format ${NEWEST_FORMAT}: install Trapline ${version} or later`,
    );
  return manifestSchema.parse(value);
}

/** Returns the migrations of a backup that are unknown to this version. */
export function unknownMigrationsOf(
  { postgres, clickhouse }: Pick<Manifest, 'postgres' | 'clickhouse'>,
  known: { readonly postgres: readonly string[]; readonly clickhouse: readonly number[] },
): readonly string[] {
  return [
    ...postgres.migrations.filter((name) => !known.postgres.includes(name)).map((name) => `PostgreSQL ${name}`),
    ...clickhouse.migrations
      .filter((number) => !known.clickhouse.includes(number))
      .map((number) => `ClickHouse ${number}`),
  ];
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
