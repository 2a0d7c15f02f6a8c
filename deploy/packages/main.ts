import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ARCHITECTURES, ownArchitecture } from './detector/manifest.ts';
import { FORMATS, type Format, packageDetector } from './detector/package.ts';

const USAGE = `usage: npm run package -- detector [--formats ${FORMATS.join(',')}] [--arch ${ARCHITECTURES.join('|')}] [--output DIRECTORY]`;

/** Builds the packages given on the command line. Prints the path and size of each. */
async function main(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      formats: { type: 'string', default: FORMATS.join(',') },
      arch: { type: 'string' },
      output: { type: 'string', default: 'dist/packages' },
    },
  });
  const formats = values.formats.split(',');
  const arch = values.arch === undefined ? ownArchitecture() : ARCHITECTURES.find((one) => one === values.arch);
  if (positionals.join() !== 'detector' || !formats.every(isFormat) || arch === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const built = await packageDetector(resolve(values.output), formats, { arch });
  for (const [format, path] of Object.entries(built)) {
    const mib = (await stat(path)).size / 1_048_576;
    process.stdout.write(`${format.padEnd(12)}${mib.toFixed(2).padStart(8)} MiB  ${path}\n`);
  }
  return 0;
}

function isFormat(text: string): text is Format {
  return (FORMATS as readonly string[]).includes(text);
}

process.exitCode = await main(process.argv.slice(2));
