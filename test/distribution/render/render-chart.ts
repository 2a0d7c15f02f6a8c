import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CHART, chartHash, RENDERED, SOURCE_FILE, valuesNames } from '../chart-source.ts';
import { run } from '../run.ts';

/**
 * Kubernetes version to render for. The default is the version that Helm was compiled with, which `go install` does not
 * set.
 */
const KUBE_VERSION = '1.34.4';

/** Lints the chart with each values file. Writes the rendered objects and the hash of their sources to `RENDERED`. */
export async function renderChart(helm: string, report: (line: string) => void): Promise<void> {
  await rm(RENDERED, { recursive: true, force: true });
  await mkdir(RENDERED, { recursive: true });
  for (const name of await valuesNames()) {
    const values = [`--values=${path.join(CHART, `ci/${name}-values.yaml`)}`, `--kube-version=${KUBE_VERSION}`];
    await run(helm, ['lint', '--strict', '--quiet', ...values, CHART]);
    const objects = await run(helm, ['template', 'trapline', CHART, '--namespace=trapline', ...values]);
    await writeFile(path.join(RENDERED, `${name}.yaml`), objects);
    report(`${name}: ${objects.match(/^kind:/gm)?.length ?? 0} objects`);
  }
  await writeFile(path.join(RENDERED, SOURCE_FILE), `${await chartHash()}\n`);
}
