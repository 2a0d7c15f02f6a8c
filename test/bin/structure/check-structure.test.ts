import { expect, test } from 'vitest';
import {
  MAX_FILE_LINES,
  readmeProblems,
  sourceProblems,
  testFolderProblems,
} from '../../../bin/structure/check-structure.ts';

const file = (name: string, lines = 100) => ({ file: name, lines });
const problemsOf = (...files: readonly { readonly file: string; readonly lines: number }[]) =>
  sourceProblems(files, {});

test('a name of the product states a concept', () => {
  expect(problemsOf(file('api/scim/utils.ts'))).toEqual([
    'api/scim/utils.ts: name the file after the concept that it holds',
  ]);
  expect(problemsOf(file('deploy/cli/index.ts'))).toHaveLength(1);
  expect(problemsOf(file('dashboards/console/src/parts/common.tsx'))).toHaveLength(1);
  expect(problemsOf(file('dashboards/console/src/routes/cases/index.tsx'), file('test/support/index.ts'))).toEqual([]);
});

test('a file has at most the allowed lines', () => {
  const long = file('api/app.ts', MAX_FILE_LINES + 1);
  expect(problemsOf(file('api/app.ts', MAX_FILE_LINES))).toEqual([]);
  expect(problemsOf(long)).toEqual(['api/app.ts has 351 lines, 350 are allowed: split it']);
  expect(sourceProblems([long], { 'api/app.ts': 351 })).toEqual([]);
  expect(sourceProblems([file('api/app.ts', 10)], { 'api/app.ts': 351 })).toEqual([
    'api/app.ts is within the limit: remove it from LONG_FILES',
  ]);
  expect(problemsOf(file('dashboards/console/src/api/schema.d.ts', 9_000))).toEqual([]);
});

test('a folder of tests mirrors a folder of the source', () => {
  const source = ['api/scim/users.ts', 'dashboards/console/src/parts/plot.tsx'];
  expect(testFolderProblems([...source, 'test/api/scim/users.test.ts', 'test/e2e/a.test.ts'])).toEqual([]);
  expect(testFolderProblems([...source, 'test/dashboards/console/parts/plot.test.ts'])).toEqual([]);
  expect(testFolderProblems([...source, 'test/api/scim/routes/a.test.ts'])).toEqual([
    'test/api/scim/routes/ mirrors no folder: api/scim/routes/ is missing',
  ]);
});

test('a subject of the API has a README', () => {
  expect(readmeProblems(['api/scim/routes/a.ts', 'api/app.ts', 'api/clients/typescript/a.ts'])).toEqual([
    'api/scim/ has no README.md',
  ]);
  expect(readmeProblems(['api/scim/routes/a.ts', 'api/scim/README.md'])).toEqual([]);
});
