import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generatedFiles, RUNBOOKS } from './generated-files.ts';

/** Generates dashboards and rules: `node dashboards/grafana/generate.ts [--to FOLDER] [--runbooks URL/]`. */

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: fileURLToPath(new URL('generated', import.meta.url)) },
    runbooks: { type: 'string', default: RUNBOOKS },
  },
});
// A dashboard that was renamed or removed must not remain.
await rm(path.join(values.to, 'dashboards'), { recursive: true, force: true });
for (const [name, text] of generatedFiles(values.runbooks)) {
  const file = path.join(values.to, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
