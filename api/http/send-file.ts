import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file as an attachment, under the name that its sender gave it, else the last part of its path. The response does not state its own type: browsers must not show it, and some clients refuse other types. */
export function sendFile(
  reply: FastifyReply,
  file: { readonly path: string; readonly size: number; readonly filename?: string | null },
  stream: Readable,
  contentType = 'application/octet-stream',
): FastifyReply {
  const name = file.filename ?? file.path.split('/').at(-1) ?? 'file';
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  // RFC 6266 and 8187: the plain name for old clients, the real one next to it.
  const real = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return reply
    .headers({
      'content-type': contentType,
      'content-length': file.size,
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${real}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    })
    .send(stream);
}
