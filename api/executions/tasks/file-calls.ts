import { z } from 'zod';
import type { JsonValue } from '../json-value.ts';
import type { HostCalls } from '../sandbox/port.ts';
import type { ExecutionFileContent } from '../tables/execution-files.ts';
import type { TaskFiles } from './task-files.ts';

/** Maximum bytes per call. As base64, the result still fits into a value for a script. */
const MAX_BYTES = 2 * 2 ** 20;

const readArguments = z.strictObject({
  path: z.string().max(600),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
  offset: z.number().int().min(0).default(0),
  length: z.number().int().min(1).max(MAX_BYTES).optional(),
});

/**
 * File functions for scripts of workflows, named like those of agents: `tools.files.list()` and `tools.files.read({
 * path, encoding, offset, length })`. They access the files of the run. Larger files are read in parts of 2 MiB.
 */
export function fileCalls(files: TaskFiles, executionId: string): HostCalls {
  return {
    'files.list': async () => (await files.list(executionId)).map(shown),
    async 'files.read'([given]: readonly JsonValue[]) {
      const checked = readArguments.safeParse(given);
      if (!checked.success)
        throw new Error(checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
      const { path, encoding, offset, length } = checked.data;
      const file = await files.find(executionId, path);
      if (file === undefined) throw new Error(`the run has no input file ${JSON.stringify(path)}`);
      const { size } = file;
      if (length === undefined && size - offset > MAX_BYTES)
        throw new Error(`the file has ${size} bytes: read it in parts of at most ${MAX_BYTES}, by offset and length`);
      const bytes = await files.read(file, { offset, length: length ?? MAX_BYTES });
      return { ...shown(file), content: bytes.toString(encoding) };
    },
  };
}

function shown({ path, filename, size, contentType }: ExecutionFileContent) {
  return { path, ...(typeof filename === 'string' ? { filename } : {}), size, contentType };
}
