import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { checkContent, checkPlatform } from './check.ts';
import { checkAllInOne } from './check-all-in-one.ts';
import { checkDetector } from './check-detector.ts';
import { docker, runShown } from './docker.ts';
import { releaseImages } from './release/release.ts';
import { TARGETS } from './targets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HELP = {
  name: 'images',
  usage: `usage: npm run images -- build|check|base [--prefix trapline/] [--tag latest] [--network host]
       npm run images -- release --registry HOST/NAME --key KEY [--output dist/images] [--private]`,
};

const OPTIONS = {
  allowPositionals: true,
  options: {
    prefix: { type: 'string', default: 'trapline/' },
    tag: { type: 'string', default: 'latest' },
    network: { type: 'string', default: 'default' },
    registry: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
    output: { type: 'string', default: 'dist/images' },
    private: { type: 'boolean', default: false },
  },
} as const;

/** Builds or checks the container images with the Docker client. `base` creates a substitute for their base image. */
async function main(args: readonly string[]): Promise<number> {
  const { positionals, values } = readCommandLine(HELP, OPTIONS, args);
  const imageOf = (name: string) => `${values.prefix}${name}:${values.tag}`;
  const command = positionals.join(' ');
  switch (command) {
    case 'base':
      await runShown('sh', ['deploy/images/base-image.sh', `node:${process.versions.node}-bookworm-slim`], ROOT);
      return 0;
    case 'build':
      for (const { name } of TARGETS) await build(name, imageOf(name), values.network);
      return 0;
    case 'check':
      return check(imageOf);
    case 'release': {
      const { registry, key, private: isPrivate } = values;
      if (registry === '' || key === '') endWithUsage(HELP, '"release" needs --registry and --key');
      const output = resolve(values.output);
      await releaseImages({ root: ROOT, imageOf, registry, key, output, isPrivate, report: print });
      return 0;
    }
    default:
      return endWithUsage(HELP, `must be one of build, check, base and release (got "${command}")`);
  }
}

async function build(target: string, image: string, network: string): Promise<void> {
  const options = ['--file=deploy/images/Dockerfile', `--target=${target}`, `--tag=${image}`, `--network=${network}`];
  await runShown('docker', ['build', ...options, '.'], ROOT);
  print(`${image} ${await docker('image', 'inspect', '--format={{.Size}}', image)} bytes`);
}

async function check(imageOf: (name: string) => string): Promise<number> {
  const problems: string[] = [];
  for (const target of TARGETS) problems.push(...(await checkContent(imageOf(target.name), target, print)));
  problems.push(...(await checkPlatform(imageOf('platform'), print)));
  problems.push(...(await checkDetector(imageOf('detector'), imageOf('platform'), print)));
  problems.push(...(await checkAllInOne(imageOf('all-in-one'), print)));
  for (const problem of problems) process.stderr.write(`FAILED: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
