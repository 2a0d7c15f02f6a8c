import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';

const FOLDER = fileURLToPath(new URL('../../../dashboards/console/dist', import.meta.url));

/** Directory of the web console; undefined, with a warning, when the console was not built: everything else is served without it. */
export function builtConsole(log: Logger): string | undefined {
  if (existsSync(path.join(FOLDER, 'index.html'))) return FOLDER;
  log.warn(
    { folder: FOLDER },
    'the web console is not built, so it is not served: run `npm start` or `node bin/bootstrap.mjs set-up` once',
  );
  return undefined;
}
