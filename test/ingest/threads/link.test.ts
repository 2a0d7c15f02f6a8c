import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { createLink, type Link } from '#ingest/threads/link.ts';

type Left = { note(text: string): void };
type Right = {
  double(number: number): Promise<number>;
  refuse(nothing: undefined): never;
  wait(nothing: undefined): Promise<void>;
  break(nothing: undefined): never;
};

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

function linked() {
  const channel = new MessageChannel();
  channels.push(channel);
  const notes: string[] = [];
  const failures: unknown[] = [];
  const left = createLink<Right, Left>(channel.port1, { note: (text) => void notes.push(text) }, () => {});
  const right: Link<Left> = createLink<Left, Right>(
    channel.port2,
    {
      async double(number) {
        right.notify('note', `doubling ${number}`);
        return number * 2;
      },
      refuse() {
        throw Object.assign(new RangeError('not that one'), { hangs: () => 'on it' });
      },
      wait: () => new Promise<void>(() => {}),
      break() {
        throw new Error('no caller waits for this');
      },
    },
    (error) => failures.push(error),
  );
  return { left, right, notes, failures };
}

it('delivers each response after the messages sent before it', async () => {
  const { left, notes } = linked();
  const answers = [left.ask('double', 2), left.ask('double', 3)];
  expect(await answers[0]).toBe(4);
  expect(notes[0]).toBe('doubling 2');
  expect(await answers[1]).toBe(6);
  expect(notes).toEqual(['doubling 2', 'doubling 3']);
});

it('passes an error on with any attached values', async () => {
  const { left } = linked();
  await expect(left.ask('refuse', undefined)).rejects.toThrow('RangeError: not that one');
});

it('reports an error that no caller waits for', async () => {
  const { left, failures } = linked();
  left.notify('break', undefined);
  await expect.poll(() => failures.map(String)).toEqual(['Error: no caller waits for this']);
});

it('rejects calls to a closed side', async () => {
  const { left } = linked();
  const waiting = left.ask('wait', undefined);
  left.cut(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(left.ask('double', 1)).rejects.toThrow('gone');
});
