import { afterAll, beforeAll } from 'vitest';
import { type Served, serveForClients } from '../served.ts';
import { type BuiltPackage, buildPackage } from './built-package.ts';

/**
 * One server and one built client for all suites of a test file, because each takes several seconds to create. Both are
 * ready before the first test.
 */
export let served: Served;
export let built: BuiltPackage;

beforeAll(async () => {
  [served, built] = await Promise.all([serveForClients(), buildPackage()]);
});

afterAll(async () => {
  await Promise.all([served?.stop(), built?.remove()]);
});
