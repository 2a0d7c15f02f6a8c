import { send } from '../../api/client.ts';
import type { Json } from './json.ts';

export interface RunFile {
  readonly name: string;
  readonly file: File;
}

/**
 * Starts a workflow or an agent. Resolves with the id of the execution. With files, the body is multipart; workflows
 * and agents have different field names for the input.
 */
export async function startRun(
  kind: 'workflows' | 'agents',
  id: string,
  { input, files }: { readonly input: Json; readonly files: readonly RunFile[] },
): Promise<string> {
  const response = await send(`/api/v1/${kind}/${encodeURIComponent(id)}/run`, {
    method: 'POST',
    headers: { accept: 'application/json', ...(files.length === 0 ? { 'content-type': 'application/json' } : {}) },
    body: files.length === 0 ? JSON.stringify({ input }) : formOf(kind === 'agents' ? input : { input }, files),
  });
  const { executionId } = (await response.json()) as { readonly executionId: string };
  return executionId;
}

function formOf(input: Json, files: readonly RunFile[]): FormData {
  const form = new FormData();
  form.append('_json', JSON.stringify(input));
  for (const { name, file } of files) form.append(name, file, file.name);
  return form;
}
