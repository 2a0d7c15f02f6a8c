import { chown, cp, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgBouncerProgram } from '../install-services.mjs';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-ports.mjs';
import { listens } from './listens.mjs';
import { supervise } from './supervised-process.ts';
import { asUser, UNPRIVILEGED_UID } from './unprivileged.ts';

export interface PgBouncerService {
  /** The given URL with the address of the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts Debian's PgBouncer in front of the server of the URL. It assigns connections by transaction and has few of
 * them, so that the client of a connection changes with each transaction.
 */
export async function startPgBouncer(server: string): Promise<PgBouncerService> {
  const program = pgBouncerProgram();
  if (program === undefined) throw new Error('PgBouncer is missing: run `node test/support/install-services.mjs`');
  const { hostname, port: serverPort, username, password, pathname } = new URL(server);
  const host = decodeURIComponent(hostname);
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), 'trapline-pgbouncer-'));
  // The directory of the server's socket is accessible only to the account of the server.
  const uid = host.startsWith('/') ? (await stat(host)).uid : UNPRIVILEGED_UID;
  const settings = [
    '[databases]',
    `${pathname.slice(1)} = host=${host} port=${serverPort || 5432}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(home, 'users')}`,
    'pool_mode = transaction',
    'default_pool_size = 3',
    'max_client_conn = 200',
    'server_login_retry = 1',
    'query_wait_timeout = 5',
  ];
  await writeFile(join(home, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  await writeFile(join(home, 'users'), `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  // The account may lack access to the folder of the programs.
  await cp(program.command, join(home, 'pgbouncer'));
  await cp(program.libraries, join(home, 'libraries'), { recursive: true, dereference: true });
  if (process.getuid?.() === 0) await chown(home, uid, uid);
  const running = supervise({
    ...asUser(uid, [join(home, 'pgbouncer'), join(home, 'pgbouncer.ini')]),
    env: { LD_LIBRARY_PATH: join(home, 'libraries') },
    logFile: join(home, 'pgbouncer.log'),
    removeAtEnd: home,
  });
  await waitFor('PgBouncer to listen', async () => !running.running || (await listens(port)));
  if (!running.running) throw new Error(`PgBouncer ended:\n${running.output()}`);
  return {
    url: Object.assign(new URL(server), { host: `127.0.0.1:${port}` }).href,
    stop: () => running.endAll(),
  };
}
