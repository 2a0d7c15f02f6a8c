import { usageError } from '../cli/command-error.ts';
import type { DestinationOf } from './clickhouse-copy.ts';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A destination that a ClickHouse server can reach itself, in the notation of the operator. */
const DESTINATION =
  /^(?:(?<disk>disk):(?<name>[\w-]+)(?:\/(?<inDisk>.+))?|(?<file>file):(?<path>\/.+)|(?<s3>s3):(?<url>https?:\/\/.+))$/;

/**
 * Returns the destination of each group for BACKUP … TO and RESTORE … FROM. `text` is `disk:NAME[/PATH]`, `file:PATH`
 * or `s3:URL`. Without keys, the server uses its own credentials for S3. Throws a usage error for any other text.
 */
export function serverDestination(text: string, keys: S3Keys | undefined): DestinationOf {
  const parts = DESTINATION.exec(text)?.groups;
  if (parts === undefined)
    throw usageError(`\`${text}\` is not a destination for ClickHouse: must be disk:NAME/PATH, file:/PATH or s3:URL`);
  if (parts.disk) return (group) => `Disk(${[parts.name ?? '', joined(parts.inDisk, group)].map(literal).join(', ')})`;
  if (parts.file) return (group) => `File(${literal(joined(parts.path, group))})`;
  const credentials = keys === undefined ? [] : [keys.accessKeyId, keys.secretAccessKey];
  return (group) => `S3(${[joined(parts.url, group), ...credentials].map(literal).join(', ')})`;
}

/** Returns a destination of the same kind, one level deeper. */
export function belowDestination(text: string, name: string): string {
  return `${text.replace(/\/+$/, '')}/${name}`;
}

function joined(path: string | undefined, group: string): string {
  return path === undefined ? group : `${path.replace(/\/+$/, '')}/${group}`;
}

function literal(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
