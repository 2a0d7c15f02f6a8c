import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isServerProof } from '#api/accounts/keys/server-proof.ts';
import { readOperatorKey } from './operator-key.ts';

export interface LocalServer {
  readonly url: string;
  readonly pid: number;
}

/** The process announced as the server does not respond. It may be busy or stopped. */
export class LocalServerSilent extends Error {
  override readonly name = 'LocalServerSilent';
}

/** A busy server responds late; a stopped one never does. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1_024;

/**
 * Writes `server.json` into the data directory, where local commands look for it. Resolves to a function that removes
 * it.
 */
export async function announceLocalServer(dataDir: string, server: LocalServer): Promise<() => Promise<void>> {
  const file = join(dataDir, 'server.json');
  await writeFile(`${file}.new`, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return async () => {
    // Keeps the file if a successor has already written its own.
    if ((await readServerFile(file))?.pid === server.pid) await rm(file, { force: true });
  };
}

/**
 * Finds the server that runs on this data directory, if any. The file of a killed server contains a process id and a
 * port that other programs may use now. Therefore a program counts as the server only if it proves knowledge of the
 * operator key. Rejects with `LocalServerSilent` if it does not respond.
 */
export async function findLocalServer(
  dataDir: string,
  { timeoutMs = ANSWER_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<LocalServer | undefined> {
  const server = await readServerFile(join(dataDir, 'server.json'));
  if (server === undefined || !isAlive(server.pid)) return undefined;
  const key = await readOperatorKey(dataDir);
  if (key === undefined) return undefined;
  const nonce = randomBytes(32).toString('hex');
  const proof = await askForProof(server, nonce, timeoutMs);
  return proof !== undefined && isServerProof(proof, key, { url: server.url, nonce }) ? server : undefined;
}

/**
 * Requests the proof. Resolves to undefined if another program, or none, listens on the address. Uses a separate agent,
 * because the global one may send requests to a proxy. Loads Node's client at run time; see `post-batch.ts`.
 */
function askForProof({ url, pid }: LocalServer, nonce: string, timeoutMs: number): Promise<string | undefined> {
  const { Agent, get } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const target = new URL(`/api/server-proof?nonce=${nonce}`, url);
    const request = get(target, { agent: new Agent(), signal: AbortSignal.timeout(timeoutMs) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.length > MAX_ANSWER_BYTES) request.destroy();
      });
      answer.on('end', () => resolve(proofOf(text)));
      answer.on('error', failed);
    });
    request.on('error', failed);

    function failed(error: Error): void {
      if (error.name !== 'TimeoutError' && error.name !== 'AbortError') resolve(undefined);
      else
        reject(
          new LocalServerSilent(
            `${url} (process ${pid}) does not respond within ${timeoutMs / 1000} s: check its log, or end it`,
          ),
        );
    }
  });
}

function proofOf(text: string): string | undefined {
  const answer = parsed(text);
  return typeof answer?.proof === 'string' ? answer.proof : undefined;
}

async function readServerFile(file: string): Promise<LocalServer | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined); // No server was started here.
  const { url, pid } = parsed(text ?? '') ?? {};
  const isServer = typeof url === 'string' && URL.canParse(url) && url.startsWith('http://');
  return isServer && typeof pid === 'number' && Number.isInteger(pid) && pid > 0 ? { url, pid } : undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // The process is alive but belongs to another user.
  }
}
