import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import type { OutboundConnect } from '#api/outbound/outbound-connect.ts';
import { type ClientCertificate, OutboundFailure } from '#api/outbound/port.ts';
import { tlsFailureOf } from '#api/outbound/tls-failure.ts';
import { percentDecoded } from '#schemas/percent-decoded.ts';
import { ACCEPTED_CODINGS, framed, type MessageLimits, readMessages } from './message-reader.ts';

export interface GrpcRequest extends MessageLimits {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly certificate?: ClientCertificate | undefined;
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** One message, or those of a stream. */
  readonly messages: readonly Uint8Array[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface GrpcResponse {
  /** gRPC status code: 0 is success. */
  readonly status: number;
  readonly detail: string;
  readonly messages: readonly Buffer[];
}

const UNKNOWN = 2;

/**
 * Calls a gRPC method over HTTP/2. Sends all request messages, while it collects all response messages. The connection
 * uses the outbound guard and is closed after the call. Rejects with `OutboundFailure`.
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
    if (timeout.aborted) throw new OutboundFailure('timeout', 'the request timed out', { cause });
    const ofTls = tlsFailureOf(cause);
    if (ofTls !== undefined) throw ofTls;
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
      'grpc-accept-encoding': ACCEPTED_CODINGS,
      'user-agent': 'trapline',
      ...request.metadata,
    },
    { signal },
  );
  stream.on('error', () => {});
  stream.end(Buffer.concat(request.messages.map(framed)));
  return Promise.race([failed, responseOf(stream, request)]);
}

async function responseOf(stream: ClientHttp2Stream, limits: MessageLimits): Promise<GrpcResponse> {
  let headers: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  stream.on('response', (received) => {
    headers = received;
  });
  stream.on('trailers', (received) => {
    trailers = received;
  });
  const messages = await readMessages(stream, () => String(headers['grpc-encoding'] ?? ''), limits);
  // A call that fails immediately has its status in the headers.
  const end = trailers['grpc-status'] === undefined ? headers : trailers;
  const status = Number(end['grpc-status'] ?? Number.NaN);
  if (!Number.isInteger(status))
    throw new OutboundFailure('broken_response', `the response is not gRPC: HTTP status ${String(headers[':status'])}`);
  return {
    status: status < 0 ? UNKNOWN : status,
    detail: percentDecoded(String(end['grpc-message'] ?? '')),
    messages,
  };
}
