import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { endGroup } from './process-group.ts';

/** A running server with a buffer overflow, as seen by an attacker. */
export interface Gateway {
  /** Distance from its buffer to the saved frame pointer, in bytes. */
  readonly frame: number;
  readonly text: { readonly start: bigint; readonly end: bigint };
  /** Sends a request. Resolves to true if the child that received it answered, and to false if the child died. */
  send(request: Buffer): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts a compiled gateway. Its children take these names in turn. */
export async function startGateway(executable: string, names: readonly string[] = []): Promise<Gateway> {
  const socket = `${executable}.socket`;
  rmSync(socket, { force: true });
  const server = spawn(executable, [socket, ...names], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: '/',
    detached: true,
  });
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const [frame, start, end] = line.split(' ') as [string, string, string];
  return {
    frame: Number(frame),
    text: { start: BigInt(start), end: BigInt(end) },
    send: (request) => send(socket, request),
    stop: () => endGroup(server),
  };
}

/** A child that neither answers nor dies has jumped into code that waits. The attacker gives up after this time. */
const MAX_ANSWER_MS = 1000;

async function send(socket: string, request: Buffer): Promise<boolean> {
  const client = connect(socket);
  const givingUp = setTimeout(() => client.destroy(), MAX_ANSWER_MS);
  let answered = false;
  client.on('data', () => {
    answered = true;
  });
  // A child that dies resets the connection.
  client.on('error', () => {});
  client.write(request);
  await new Promise((resolve) => client.once('close', resolve));
  clearTimeout(givingUp);
  return answered;
}
