import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import { Agent, type AgentOptions, request as requestOverHttps } from 'node:https';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from './download.ts';

/** Opens a local file as an input. It is read while it is sent. Rejects if the file does not exist. `type`: its media type. */
export async function openFile(
  path: string,
  options: { readonly type?: string; readonly name?: string } = {},
): Promise<File> {
  const type = options.type ?? 'application/octet-stream';
  return new File([await openAsBlob(path, { type })], options.name ?? basename(path), { type });
}

/**
 * Writes a download to a file atomically: the file is complete or absent. If `to` is a folder, the file gets its name
 * from the service. Resolves to the path of the file.
 */
export async function saveDownload(download: Download, to: string): Promise<string> {
  const isFolder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const target = isFolder ? join(to, download.filename ?? 'download') : to;
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    const file = await open(temporary, 'wx');
    try {
      const reader = download.stream.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) await file.writeFile(piece.value);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return target;
}

/**
 * Returns a function for the option `fetch` with separate TLS settings: `ca` is the certificate authority of a
 * self-hosted service, `cert` and `key` are those of a client. It keeps connections open.
 */
export function fetchTrusting(
  tls: Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'servername'>,
): typeof fetch {
  const agent = new Agent({ keepAlive: true, ...tls });
  return async (input, init) => {
    const request = new Request(input, init?.body == null ? init : ({ ...init, duplex: 'half' } as RequestInit));
    const { method, signal, url } = request;
    const headers = Object.fromEntries(request.headers);
    const sent = url.startsWith('https:')
      ? requestOverHttps(url, { method, headers, signal, agent })
      : requestOverHttp(url, { method, headers, signal });
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    // A service that refuses an upload responds before it has read the whole body. Then its response is the result.
    const written = request.body === null ? sent.end() : pipeline(Readable.fromWeb(request.body as never), sent);
    if (written instanceof Promise) written.catch(() => {});
    const answer = await answered;
    const { statusCode: status = 502, headers: got } = answer;
    const pairs = Object.entries(got).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one] as [string, string]),
    );
    const empty = status === 204 || status === 304;
    if (empty) answer.resume();
    return new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers: pairs });
  };
}
