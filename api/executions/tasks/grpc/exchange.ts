import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { percentDecoded } from '#schemas/percent-decoded.ts';
import type { OutboundConnect } from '../../../outbound/outbound-connect.ts';
import { type ClientCertificate, OutboundFailure } from '../../../outbound/port.ts';

export interface GrpcRequest {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly certificate?: ClientCertificate | undefined;
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly message: Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface GrpcResponse {
  /** gRPC status code: 0 is success. */
  readonly status: number;
  readonly detail: string;
  readonly messages: readonly Buffer[];
}

/** Size of the compression flag and the length. */
const PREFIX_BYTES = 5;
const UNKNOWN = 2;

/**
 * Calls a gRPC method over HTTP/2 with one request message. Returns all response messages. The connection uses the
 * outbound guard and is closed after the call. Rejects with `OutboundFailure`.
 */
export async function callGrpc(outbound: OutboundConnect, request: GrpcRequest): Promise<GrpcResponse> {
  const { host, port, secure, certificate, signal, timeoutMs } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const socket = await outbound.connect({ host, port, secure, certificate, alpn: ['h2'] });
  const authority = `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  // The session reports errors of the connection. After the call, the socket would otherwise have no error listener.
  socket.on('error', () => {});
  const session = connect(authority, { createConnection: () => socket });
  try {
    return await exchange(session, request, AbortSignal.any([signal, timeout]));
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof OutboundFailure) throw cause;
    if (timeout.aborted) throw new OutboundFailure('timeout', 'the exchange took too long', { cause });
    throw new OutboundFailure('broken_response', 'the response was interrupted or is not gRPC', { cause });
  } finally {
    session.destroy();
    socket.destroy();
  }
}

async function exchange(session: ClientHttp2Session, request: GrpcRequest, signal: AbortSignal): Promise<GrpcResponse> {
  const failed = new Promise<never>((_resolve, reject) => session.on('error', reject));
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': request.path,
      'content-type': 'application/grpc+proto',
      te: 'trailers',
      'grpc-timeout': `${request.timeoutMs}m`,
      'grpc-accept-encoding': 'identity',
      'user-agent': 'trapline',
      ...request.metadata,
    },
    { signal },
  );
  stream.on('error', () => {});
  stream.end(framed(request.message));
  return Promise.race([failed, responseOf(stream, request.maxBytes)]);
}

async function responseOf(stream: ClientHttp2Stream, maxBytes: number): Promise<GrpcResponse> {
  let headers: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  stream.on('response', (received) => {
    headers = received;
  });
  stream.on('trailers', (received) => {
    trailers = received;
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundFailure('too_large', `the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  // A call that fails immediately has its status in the headers.
  const end = trailers['grpc-status'] === undefined ? headers : trailers;
  const status = Number(end['grpc-status'] ?? Number.NaN);
  if (!Number.isInteger(status))
    throw new OutboundFailure('broken_response', `the response is not gRPC: HTTP status ${String(headers[':status'])}`);
  return {
    status: status < 0 ? UNKNOWN : status,
    detail: percentDecoded(String(end['grpc-message'] ?? '')),
    messages: messagesOf(Buffer.concat(chunks)),
  };
}

function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/**
 * Parses the messages of a response. Throws for an incomplete message, and for a compressed one, which was not
 * requested.
 */
export function messagesOf(body: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    if (body.length - at < PREFIX_BYTES) throw new OutboundFailure('broken_response', 'a message is incomplete');
    const end = at + PREFIX_BYTES + body.readUInt32BE(at + 1);
    if (body[at] !== 0)
      throw new OutboundFailure('broken_response', 'a message is compressed, which was not requested');
    if (end > body.length) throw new OutboundFailure('broken_response', 'a message is incomplete');
    messages.push(body.subarray(at + PREFIX_BYTES, end));
    at = end;
  }
  return messages;
}
