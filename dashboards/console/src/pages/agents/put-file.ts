import { call } from '../../api/client.ts';

const CHUNK = 0x8000;

/** Puts a text or a file into a workspace: a new version of it. `etag`: of the file it was made from, see `isOvertaken`; without it, over whatever is there. */
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

/** In parts: a function takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
