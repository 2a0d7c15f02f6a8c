import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createPercentProgress, percentText } from '#deploy/cli/percent-progress.ts';

function output(isTTY: boolean) {
  const notes: string[] = [];
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  let ms = 0;
  const progress = createPercentProgress({ stderr, note: (text) => void notes.push(text) }, 'exported', () => ms);
  const pass = (more: number) => {
    ms += more;
  };
  return { progress, notes, pass, written: () => String(stderr.read() ?? '') };
}

test.each([
  [0, 10_000, 'exported 0 % (0 of 10,000)'],
  [3_799, 10_000, 'exported 37 % (3,799 of 10,000)'],
  [12_000, 10_000, 'exported 100 % (12,000 of 10,000)'],
  [3_700, undefined, 'exported 3,700'],
  [0, 0, 'exported 0'],
])('prints %s of %s', (done, total, text) => {
  expect(percentText('exported', done, total)).toBe(text);
});

test('updates one line on a terminal at most four times a second, and removes it at the end', () => {
  const { progress, notes, pass, written } = output(true);
  progress.update(1, 4);
  expect(written()).toBe('');
  pass(250);
  progress.update(2, 4);
  progress.update(3, 4);
  expect(written()).toBe('\r\u001b[Kexported 50 % (2 of 4)');
  progress.end();
  progress.end();
  expect(written()).toBe('\r\u001b[K');
  expect(notes).toEqual([]);
});

test('prints a line for each 10 % elsewhere, if the work takes longer than two seconds', () => {
  const { progress, notes, pass, written } = output(false);
  progress.update(15, 100);
  pass(2_000);
  for (const done of [19, 24, 29, 31, 55, 59, 100, 100]) progress.update(done, 100);
  progress.update(5, undefined);
  progress.end();
  expect(notes.map((note) => note.split(' (')[0])).toEqual([
    'exported 19 %',
    'exported 24 %',
    'exported 31 %',
    'exported 55 %',
    'exported 100 %',
  ]);
  expect(written()).toBe('');
});
