import { expect, test } from 'vitest';
import { isLibrary, withoutDeleted } from '#analytics/detections/state/library-name.ts';

test('recognizes libraries by `.so` at the end, before a version or a suffix of the kernel', () => {
  for (const name of ['libc.so', 'libc.so.6', 'libc-2.31.so (deleted)', 'a.sock.so', 'mod_php.v8.so.1'])
    expect(isLibrary(name)).toBe(true);
  for (const name of ['', 'nginx', 'php8.2', 'my.sock', 'a.soft', 'so', 's.o', 'python3.so_', '.s'])
    expect(isLibrary(name)).toBe(false);
});

test('the suffix of the kernel is removed only at the end of the name', () => {
  expect(withoutDeleted('nginx (deleted)')).toBe('nginx');
  for (const name of ['nginx', '', ')', 'nginx(deleted)', 'a (deleted) b', '(deleted) (x)'])
    expect(withoutDeleted(name)).toBe(name);
});
