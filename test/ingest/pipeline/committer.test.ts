import { expect, it } from 'vitest';
import { createCommitter } from '#ingest/pipeline/committer.ts';

it('has one commit in flight, then commits only the newest offset, and survives a failed commit', async () => {
  const said: number[] = [];
  const first = Promise.withResolvers<void>();
  const committer = createCommitter({
    async commit(offset) {
      said.push(offset);
      if (said.length === 1) await first.promise;
    },
  });
  committer.commit(1);
  committer.commit(2);
  committer.commit(3);
  first.reject(new Error('lost generation'));
  await committer.idle();
  committer.commit(4);
  await committer.idle();
  expect(said).toEqual([1, 3, 4]);
});
