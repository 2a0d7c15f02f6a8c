import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { ConsoleFiles } from '#api/http/console/page.ts';
import { ownCommand } from '../../own-command.ts';

const FOLDER = fileURLToPath(new URL('../../../dashboards/console/dist', import.meta.url));

/** Returns the web console; undefined, with a warning, if it was not built. Everything else is served without it. */
export function builtConsole(log: Logger): ConsoleFiles | undefined {
  if (existsSync(path.join(FOLDER, 'index.html'))) {
    // The path of the checkout is omitted, because every client receives this page.
    return { folder: FOLDER, command: ownCommand() === 'trapline' ? 'trapline' : 'npx trapline' };
  }
  log.warn(
    { folder: FOLDER },
    'the web console is not built, so it is not served: run `npm start` or `node bin/bootstrap.mjs set-up` once',
  );
  return undefined;
}
