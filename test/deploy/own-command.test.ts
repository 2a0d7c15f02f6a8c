import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCommand } from '#deploy/own-command.ts';

function checkoutOf(uid: number): string {
  const checkout = mkdtempSync(path.join(tmpdir(), "trapline it's-"));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  mkdirSync(path.join(checkout, 'bin'));
  for (const file of ['bin/trapline', 'bin/bootstrap.mjs']) writeFileSync(path.join(checkout, file), '');
  if (process.getuid?.() === 0) chownSync(path.join(checkout, 'bin/trapline'), uid, uid);
  return checkout;
}

/**
 * Regression: a server started by its path from another directory printed `npx trapline …`, and npx then asked the
 * registry for a package of that name.
 */
test('uses npx in the checkout, and the path of the program elsewhere', () => {
  const uid = process.getuid?.() ?? 0;
  const checkout = checkoutOf(uid);
  const program = `'${checkout.replace("'", "'\\''")}/bin/trapline'`;
  expect(ownCommand({ directory: checkout, uid, checkout })).toBe('npx trapline');
  expect(ownCommand({ directory: path.join(checkout, 'docs'), uid, checkout })).toBe('npx trapline');
  expect(ownCommand({ directory: '/', uid, checkout })).toBe(program);
  expect(ownCommand({ directory: `${checkout}-2`, uid, checkout })).toBe(program);
});

/** In the checkout of another account, npx fails with EPERM because it changes the mode of the program. */
test('uses the path of the program in a checkout of another account, but not for root', () => {
  const uid = process.getuid?.() ?? 0;
  const checkout = checkoutOf(uid);
  expect(ownCommand({ directory: checkout, uid: uid + 1, checkout })).toMatch(/bin\/trapline'$/);
  expect(ownCommand({ directory: checkout, uid: 0, checkout })).toBe('npx trapline');
});

/** An image contains the code and no checkout. It has neither npx nor a shell that could run bin/trapline. */
test('uses the plain name in an image or a package', () => {
  const checkout = checkoutOf(process.getuid?.() ?? 0);
  rmSync(path.join(checkout, 'bin/bootstrap.mjs'));
  expect(ownCommand({ directory: checkout, checkout })).toBe('trapline');
  expect(ownCommand({ directory: '/', checkout })).toBe('trapline');
});
