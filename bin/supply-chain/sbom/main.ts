import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '../../command-line/command-line.ts';
import { createSbom } from './sbom.ts';

/** Writes the bill of materials to a file: `sbom.cdx.json`, or the one named by `--output`. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const HELP = { name: 'sbom', usage: 'usage: npm run sbom [-- --output sbom.cdx.json]' };
const { values } = readCommandLine(HELP, { options: { output: { type: 'string', default: 'sbom.cdx.json' } } });
const file = resolve(root, values.output);
writeFileSync(file, await createSbom(root, new Date()));
process.stderr.write(`trapline: bill of materials written to ${file}\n`);
