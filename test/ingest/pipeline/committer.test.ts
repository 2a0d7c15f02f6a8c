import { expect, it } from 'vitest';
import { createCommitter } from '#ingest/pipeline/committer.ts';

it('has one commit under way, then says only the newest, and survives a failed one', async () => {
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
