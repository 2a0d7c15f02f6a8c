import { findLocalServer } from '../../local-server.ts';
import type { CommandContext } from '../context.ts';
import type { Accounts } from './port.ts';

/**
 * Runs `work` with the accounts of the server at `TRAPLINE_URL` or on the data directory. If there is neither, uses the
 * database at `DATABASE_URL`, so that the first administrator can be created before the first start.
 */
export async function withAccounts<T>(context: CommandContext, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const config = await context.config();
  const served = config.server.url ?? (await findLocalServer(config.dataDir))?.url;
  if (served !== undefined || config.postgres.directUrl === undefined) {
    const { accountsOverHttp } = await import('./over-http.ts');
    return work(accountsOverHttp(await context.server()));
  }
  const { withDatabaseAccounts } = await import('./on-database.ts');
  return withDatabaseAccounts({ url: config.postgres.directUrl, publicUrl: config.platform.url }, work);
}
