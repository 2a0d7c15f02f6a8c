import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

export interface AgentBounds {
  /** Time after which a connection is closed, with or without a complete response. */
  readonly timeoutMs: number;
  /** Maximum bytes that a connection receives. */
  readonly maxBytes: number;
}

/**
 * Creates an agent for a client that limits neither the size nor the time of a response. Each connection serves one
 * request and is closed at the bounds. Otherwise a server without an end would fill the memory.
 */
export function createBoundedAgent(url: string, bounds: AgentBounds): HttpAgent {
  const agent = url.startsWith('https:') ? new HttpsAgent() : new HttpAgent();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = connect(...given);
    if (socket) bound(socket as Socket, bounds);
    return socket;
  };
  return agent;
}

function bound(socket: Socket, { timeoutMs, maxBytes }: AgentBounds): void {
  let received = 0;
  const timer = setTimeout(() => socket.destroy(new Error(`no complete response within ${timeoutMs} ms`)), timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length;
    if (received > maxBytes) socket.destroy(new Error(`the response is larger than ${maxBytes} bytes`));
  });
}
