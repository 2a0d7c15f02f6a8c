import { expect, it } from 'vitest';
import { coalesceTasks, createTaskQueue } from '#ingest/pipeline/task-queue.ts';

/** Resolves after every task that was queued before has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs one task per turn in the order of requests, also for tasks that request another', async () => {
  const enqueueTask = createTaskQueue();
  const done: string[] = [];
  enqueueTask(() => {
    done.push('a1');
    enqueueTask(() => done.push('a2'));
  });
  enqueueTask(() => done.push('b1'));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['a1']);
  await turn();
  expect(done).toEqual(['a1', 'b1']);
  await turn();
  expect(done).toEqual(['a1', 'b1', 'a2']);
});

it('requests one turn at a time; a request made by a task gets another turn', async () => {
  const done: number[] = [];
  const wake = coalesceTasks(createTaskQueue(), () => {
    done.push(done.length);
    if (done.length === 1) wake();
  });
  wake();
  wake();
  await turn();
  expect(done).toEqual([0]);
  await turn();
  await turn();
  expect(done).toEqual([0, 1]);
});
