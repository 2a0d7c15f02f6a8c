import { buildStandIns } from '#test/compose-check/stand-ins/build.ts';
import { endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { renderChart } from './render/render-chart.ts';
import { recordSchemas } from './schemas/record-schemas.ts';
import { runSteps, STEPS } from './steps/run-steps.ts';
import { buildTools } from './tools/build-tools.ts';

/**
 * `npm run distribution`: installs the Helm chart on a real single-node Kubernetes. README.md describes its commands.
 */

const HELP = {
  name: 'distribution',
  usage: `usage: npm run distribution -- cluster [STEP …] [--prefix trapline/] [--stand-ins] [--network host]
       npm run distribution -- render | schemas | tools
steps: ${STEPS.join(', ')}`,
};

async function main(args: readonly string[]): Promise<number> {
  const options = {
    prefix: { type: 'string', default: 'trapline/' },
    'stand-ins': { type: 'boolean', default: false },
    network: { type: 'string', default: 'default' },
  } as const;
  const { positionals, values } = readCommandLine(HELP, { allowPositionals: true, options }, args);
  const [command = 'cluster', ...steps] = positionals;
  if (command === 'cluster' && steps.every((step) => (STEPS as readonly string[]).includes(step))) {
    const tools = await buildTools(['helm', 'kube'], print);
    if (values['stand-ins']) await buildStandIns(values.network, ['kafka', 'clickhouse', 'postgres', 'redis']);
    await runSteps(tools, steps, values.prefix, print);
    return 0;
  }
  if (steps.length === 0 && command === 'tools') {
    await buildTools(['helm', 'kube', 'types'], print);
    return 0;
  }
  if (steps.length === 0 && command === 'render') {
    await renderChart((await buildTools(['helm'], print)).helm, print);
    return 0;
  }
  if (steps.length === 0 && command === 'schemas') {
    await recordSchemas(await buildTools(['kube', 'types'], print), print);
    return 0;
  }
  return endWithUsage(HELP, `the command "${positionals.join(' ')}" is unknown`);
}

function print(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
