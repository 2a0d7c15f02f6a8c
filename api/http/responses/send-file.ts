import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends a file as an attachment with the name from its sender, otherwise the last segment of its path. The response has
 * a generic content type: browsers must not display the file, and some clients refuse other types.
 */
export function sendFile(
  reply: FastifyReply,
  file: { readonly path: string; readonly size: number; readonly filename?: string | null },
  stream: Readable,
  contentType = 'application/octet-stream',
): FastifyReply {
  const name = file.filename ?? file.path.split('/').at(-1) ?? 'file';
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  // Sends both names (RFC 6266 and 8187): an ASCII name for old clients, and the real name.
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
