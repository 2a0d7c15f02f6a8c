import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '#test/deploy/cli/run-command.ts';
import { randomName } from '#test/support/random-name.ts';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';

/**
 * A user of the product. Everything the user sends contains `marker`, which must never appear in a response to another
 * user.
 */
export interface Account {
  readonly name: string;
  readonly key: string;
  readonly marker: string;
}

/** The product started as by an operator: `trapline start` on embedded engines, with two users. */
export interface Product {
  readonly url: string;
  readonly accounts: readonly [Account, Account];
  /** Process id of `trapline start`. The engines are its children. */
  readonly pid: number;
  readonly server: TraplineProcess;
  stop(): Promise<void>;
}

/** The options that `bin/trapline` sets. */
const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

export async function startProduct(): Promise<Product> {
  const server = await startTrapline(
    ['start', '--no-demo'],
    // Every request has a different client address, because an address may send 100 requests a minute only.
    { LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1', REGISTRATION: 'closed', MALLOC_ARENA_MAX: '1' },
    undefined, // a new folder, removed at the end, also when this process is killed
    NODE_OPTIONS,
  );
  const stop = () => server.endAll();
  try {
    await server.logged('Trapline serves');
    const { url, pid } = JSON.parse(await readFile(path.join(server.dataDir, 'server.json'), 'utf8')) as {
      url: string;
      pid: number;
    };
    const operatorKey = (await readFile(path.join(server.dataDir, 'operator.key'), 'utf8')).trim();
    const account = (name: string) => createAccount(name, { TRAPLINE_URL: url, TRAPLINE_API_KEY: operatorKey });
    const accounts = [await account('alice'), await account('bob')] as const;
    return { url, accounts, pid, server, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates an account with the operator's commands. */
async function createAccount(name: string, environment: Readonly<Record<string, string>>): Promise<Account> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { environment });
    if (code !== 0) throw new Error(`trapline ${args[0]} ${args[1]} failed: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const email = `${name}@example.org`;
  await run('users', 'create', '--email', email, '--username', name);
  const { apiKey } = await run('keys', 'create', '--email', email, '--name', 'fuzz');
  return { name, key: String(apiKey), marker: randomName(`marker-of-${name}`) };
}
