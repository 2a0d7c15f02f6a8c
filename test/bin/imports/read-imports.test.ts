import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readImports } from '../../../bin/imports/read-imports.ts';

test('reads every form of import with its line', () => {
  const root = mkdtempSync(join(tmpdir(), 'trapline-imports-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const source = [
    "import { a } from './a.ts';",
    "import type { B } from '#schemas/b.ts';",
    "export { c } from '../c.ts';",
    "const d = () => import('./d.ts');",
    "import 'pino';",
  ];
  writeFileSync(join(root, 'file.ts'), source.join('\n'));
  const read = readImports(root, 'file.ts').sort((one, other) => one.line - other.line);
  expect(read).toEqual([
    { specifier: './a.ts', file: 'a.ts', line: 1 },
    { specifier: '#schemas/b.ts', file: 'schemas/b.ts', line: 2 },
    { specifier: '../c.ts', file: '../c.ts', line: 3 },
    { specifier: './d.ts', file: 'd.ts', line: 4 },
    { specifier: 'pino', file: undefined, line: 5 },
  ]);
});
