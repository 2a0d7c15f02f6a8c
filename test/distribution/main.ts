import { renderChart } from './render/render-chart.ts';
import { recordSchemas } from './schemas/record-schemas.ts';
import { buildTools } from './tools/build-tools.ts';

/** `npm run distribution`: renders the Helm chart and records the schemas of its objects. README.md describes its commands. */

const USAGE = 'usage: npm run distribution -- render | schemas';

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === 'render') {
    await renderChart((await buildTools(['helm'], print)).helm, print);
    return 0;
  }
  if (args.length === 1 && args[0] === 'schemas') {
    await recordSchemas(await buildTools(['kube', 'types'], print), print);
    return 0;
  }
  process.stderr.write(`${USAGE}\n`);
  return 2;
}

function print(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
