import { call } from '../../api/client.ts';

const CHUNK = 0x8000;

/**
 * Stores a text or a file in a workspace, which creates a version of the file. `etag`: that of the file on which it is
 * based (see `isOvertaken`). Without it, any file is replaced.
 */
export async function putFile(
  agentId: string,
  path: string,
  content: string | File,
  etag?: string | null,
): Promise<void> {
  const body =
    typeof content === 'string'
      ? { content }
      : {
          contentBase64: base64Of(new Uint8Array(await content.arrayBuffer())),
          ...(content.type === '' ? {} : { contentType: content.type }),
        };
  await call('put', '/api/v1/agents/{agentId}/files', {
    path: { agentId },
    query: { path },
    headers: etag ? { 'if-match': etag } : {},
    body,
  });
}

/** Encodes in chunks, because the number of function arguments is limited. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
