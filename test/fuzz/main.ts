import { endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { FUZZ } from './help.ts';

/**
 * `npm run fuzz -- [--of api|programs] …`: `api` (the default) makes requests from the OpenAPI description (`api.ts`).
 * `programs` releases and runs definitions, schemas, expressions and scripts (`programs/main.ts`). Each reads its own
 * options.
 */
const { values } = readCommandLine(FUZZ, { options: { of: { type: 'string', default: 'api' } }, strict: false });

if (values.of === 'programs') {
  const { fuzzPrograms } = await import('./programs/main.ts');
  process.exitCode = await fuzzPrograms(process.argv.slice(2));
} else if (values.of === 'api') {
  await import('./api.ts');
} else {
  endWithUsage(FUZZ, `--of: must be api or programs (got ${values.of})`);
}
