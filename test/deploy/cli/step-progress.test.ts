import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createStepProgress } from '#deploy/cli/progress.ts';
import { waitFor } from '#test/support/wait-for.ts';

function stream(isTTY: boolean) {
  const written: string[] = [];
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  return { written, stderr: Object.assign(stderr, { isTTY }) };
}

it('shows a percentage for each step on a terminal, and removes the line at the end', async () => {
  const { written, stderr } = stream(true);
  const progress = createStepProgress({ stderr });
  progress.step('PostgreSQL', 1);
  await waitFor('a line', async () => {
    await pause(10);
    progress.step('ClickHouse', 0.427);
    return written.length > 0;
  });
  expect(written.join('')).toContain('PostgreSQL 100 %  ClickHouse 42 %');
  progress.end();
  expect(written.at(-1)).toBe('\r\u001b[K');
});

it('prints nothing elsewhere', () => {
  const { written, stderr } = stream(false);
  const progress = createStepProgress({ stderr });
  progress.step('ClickHouse', 0.5);
  progress.end();
  expect(written).toEqual([]);
});
