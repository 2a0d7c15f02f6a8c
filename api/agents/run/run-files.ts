import { Buffer } from 'node:buffer';
import type { Contents } from '#api/executions/files/contents.ts';
import { checkPath, findClash } from '#api/executions/files/safe-path.ts';
import type { GivenFile, NamedContent } from '../tables/agent-files.ts';
import { ToolFailure } from './tool.ts';

/** Limits of the output files of a run. */
export const OUTPUT_LIMITS = { files: 200, fileBytes: 16 * 2 ** 20, bytes: 64 * 2 ** 20 };
/** Maximum size of a file that a tool reads as a whole. */
const MAX_READ_BYTES = 2 * 2 ** 20;

/** Files of a run: its workspace and input as of its start, and its output. */
export interface RunFiles {
  list(kind: FileKind): readonly GivenFile[];
  read(kind: FileKind, path: string): Promise<{ readonly file: GivenFile; readonly bytes: Buffer }>;
  write(path: string, bytes: Uint8Array, contentType: string): Promise<NamedContent>;
}
export type FileKind = 'workspace' | 'input' | 'output';

export function createRunFiles(
  { contents }: { readonly contents: Contents },
  given: { readonly workspace: readonly NamedContent[]; readonly input: readonly GivenFile[] },
): RunFiles {
  const output = new Map<string, NamedContent>();
  const list = (kind: FileKind): readonly GivenFile[] => (kind === 'output' ? [...output.values()] : given[kind]);
  return {
    list,
    async read(kind, path) {
      const wanted = requireSafePath(path);
      const file = list(kind).find((one) => one.path === wanted);
      if (file === undefined) throw new ToolFailure(`there is no file ${JSON.stringify(wanted)} among ${kind} files`);
      if (file.size > MAX_READ_BYTES) throw new ToolFailure(`the file has more than ${MAX_READ_BYTES} bytes`);
      return { file, bytes: await contents.readBytes(file.contentHash) };
    },
    async write(path, bytes, contentType) {
      const wanted = requireSafePath(path);
      if (bytes.length > OUTPUT_LIMITS.fileBytes)
        throw new ToolFailure(`a file has at most ${OUTPUT_LIMITS.fileBytes} bytes`);
      const others = [...output.values()].filter((file) => file.path !== wanted);
      if (others.length >= OUTPUT_LIMITS.files)
        throw new ToolFailure(`a run writes at most ${OUTPUT_LIMITS.files} files`);
      if (others.reduce((sum, { size }) => sum + size, bytes.length) > OUTPUT_LIMITS.bytes)
        throw new ToolFailure(`a run writes at most ${OUTPUT_LIMITS.bytes} bytes`);
      if (findClash([...others.map((file) => file.path), wanted]) !== undefined)
        throw new ToolFailure('the name clashes with that of another file');
      const file = { ...(await contents.putBytes(bytes, contentType)), path: wanted };
      output.set(wanted, file);
      return file;
    },
  };
}

export function requireSafePath(path: string): string {
  const checked = checkPath(path);
  if (!checked.ok) throw new ToolFailure(`the path ${checked.reason}`);
  return checked.path;
}

/** Returns the bytes of a text or of base64. */
export function bytesOf({
  content,
  contentBase64,
}: {
  content?: string | undefined;
  contentBase64?: string | undefined;
}) {
  if (content !== undefined) return Buffer.from(content);
  if (contentBase64 !== undefined) return Buffer.from(contentBase64, 'base64');
  throw new ToolFailure('content or contentBase64 is needed');
}
