import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { ARCHITECTURES, ownArchitecture } from './detector/manifest.ts';
import { FORMATS, type Format, packageDetector } from './detector/package.ts';

const HELP = {
  name: 'package',
  usage: `usage: npm run package -- detector [--formats ${FORMATS.join(',')}] [--arch ${ARCHITECTURES.join('|')}] [--output DIRECTORY]`,
};

/** Builds the packages given on the command line. Prints the path and size of each. */
async function main(args: readonly string[]): Promise<number> {
  const { positionals, values } = readCommandLine(
    HELP,
    {
      allowPositionals: true,
      options: {
        formats: { type: 'string', default: FORMATS.join(',') },
        arch: { type: 'string' },
        output: { type: 'string', default: 'dist/packages' },
      },
    },
    args,
  );
  if (positionals.join(' ') !== 'detector') endWithUsage(HELP, `must be "detector" (got "${positionals.join(' ')}")`);
  const formats = values.formats.split(',');
  if (!formats.every(isFormat)) endWithUsage(HELP, `--formats: of ${FORMATS.join(', ')} (got ${values.formats})`);
  const arch = values.arch === undefined ? ownArchitecture() : ARCHITECTURES.find((one) => one === values.arch);
  if (arch === undefined) endWithUsage(HELP, `--arch: must be one of ${ARCHITECTURES.join(', ')} (got ${values.arch})`);
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
