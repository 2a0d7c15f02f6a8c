import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_OUTPUT_BYTES } from './process-output.ts';

/** Thrown when the API of the engine rejects a request. */
export class EngineRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ContainerEngine {
  /**
   * Sends a request. Resolves to the JSON of the response, or undefined for an empty body. Rejects with `EngineRefusal`
   * for a status of 400 or more.
   */
  json(method: string, path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** Returns the body of a response, up to `MAX_OUTPUT_BYTES` plus some for framing. */
  bytes(method: string, path: string, signal: AbortSignal): Promise<Buffer>;
  /** Opens the stream for the input of a container. */
  stream(path: string, signal: AbortSignal): Promise<Duplex>;
}

/** Includes the framing of log lines, eight bytes each. */
const MAX_BYTES = 4 * MAX_OUTPUT_BYTES;

/** Client of a container engine (Docker Engine API) over its socket. */
export function createContainerEngine(socketPath: string): ContainerEngine {
  async function send(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Buffer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers =
        text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const sent = request({ socketPath, method, path, headers, signal }, resolve);
      sent.once('error', reject);
      sent.end(text);
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new EngineRefusal(413, 'the response of the container engine is too large');
      chunks.push(chunk);
    }
    const answer = Buffer.concat(chunks);
    const { statusCode = 500 } = response;
    if (statusCode >= 400) throw new EngineRefusal(statusCode, messageOf(answer));
    return answer;
  }

  return {
    async json(method, path, body, signal) {
      const answer = await send(method, path, body, signal);
      return answer.length === 0 ? undefined : parsed(answer);
    },
    bytes: (method, path, signal) => send(method, path, undefined, signal),
    stream: (path, signal) =>
      new Promise((resolve, reject) => {
        const headers = { connection: 'Upgrade', upgrade: 'tcp' };
        const sent = request({ socketPath, method: 'POST', path, headers, signal });
        sent.once('upgrade', (_response, socket) => resolve(socket));
        sent.once('response', (response) => {
          response.resume();
          reject(new EngineRefusal(response.statusCode ?? 500, 'the container engine opens no stream for the input'));
        });
        sent.once('error', reject);
        sent.end();
      }),
  };
}

function parsed(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString('utf8')) as unknown;
  } catch {
    // A pull returns one line of JSON per step of progress.
    return undefined;
  }
}

function messageOf(answer: Buffer): string {
  const value = parsed(answer);
  const message = typeof value === 'object' && value !== null && 'message' in value ? value.message : undefined;
  return typeof message === 'string' ? message : 'the container engine gave no reason';
}

/** Splits a log into its two streams. Each part has a header with the number of its stream and its length. */
export function splitLog(log: Buffer): { readonly stdout: string; readonly stderr: string } {
  const parts: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  while (at + 8 <= log.length) {
    const end = at + 8 + log.readUInt32BE(at + 4);
    parts[log[at] === 2 ? 1 : 0].push(log.subarray(at + 8, end));
    at = end;
  }
  return { stdout: Buffer.concat(parts[0]).toString('utf8'), stderr: Buffer.concat(parts[1]).toString('utf8') };
}
