import type { Database } from '#api/postgres/database.ts';
import type { Contents } from '../files/contents.ts';
import type { JsonValue } from '../json-value.ts';
import { type ExecutionFileContent, inputFilesInReach } from '../tables/execution-files.ts';

/** Reference in an input to a file that the run received. */
export interface FileReference {
  /** Name of the input. */
  readonly file: string;
  /** File name that the sender gave. */
  readonly filename: string;
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** The files of an execution and its ancestors. Other files cannot be read, even by path. */
export interface TaskFiles {
  list(executionId: string): Promise<ExecutionFileContent[]>;
  find(executionId: string, path: string): Promise<ExecutionFileContent | undefined>;
  /** Returns at most `length` bytes, starting at `offset`. */
  read(file: ExecutionFileContent, range?: { readonly offset: number; readonly length: number }): Promise<Buffer>;
}

export function createTaskFiles({
  database,
  contents,
}: {
  readonly database: Database;
  readonly contents: Pick<Contents, 'read' | 'readBytes'>;
}): TaskFiles {
  return {
    list: (executionId) => inputFilesInReach(database, executionId),
    find: async (executionId, path) => (await inputFilesInReach(database, executionId, path))[0],
    async read({ contentHash, size }, range) {
      if (range === undefined || (range.offset === 0 && range.length >= size)) return contents.readBytes(contentHash);
      const parts: Buffer[] = [];
      let at = 0;
      for await (const chunk of await contents.read(contentHash)) {
        const bytes = chunk as Buffer;
        parts.push(bytes.subarray(Math.max(0, range.offset - at), Math.max(0, range.offset + range.length - at)));
        at += bytes.length;
        if (at >= range.offset + range.length) break;
      }
      return Buffer.concat(parts);
    },
  };
}

const KEYS = ['contentType', 'file', 'filename', 'sha256', 'size'] as const satisfies readonly (keyof FileReference)[];

/** Returns true if a value is exactly such a reference. */
export function isFileReference(value: JsonValue | undefined): value is JsonValue & FileReference {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given = value as Readonly<Record<string, JsonValue>>;
  return (
    Object.keys(given).length === KEYS.length &&
    KEYS.every((key) => typeof given[key] === (key === 'size' ? 'number' : 'string'))
  );
}
