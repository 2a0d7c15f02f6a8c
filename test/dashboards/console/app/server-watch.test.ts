import { expect, test } from 'vitest';
import { createServerWatch } from '#dashboards/console/src/app/server-watch.ts';

test('polls a server that does not respond until it does, with one poll at a time', async () => {
  const responses = [false, false, true];
  let polls = 0;
  await new Promise<void>((onBack) => {
    const watch = createServerWatch({
      async answers() {
        polls += 1;
        watch.lost();
        return responses[polls - 1] ?? true;
      },
      onBack,
      sleep: async () => {},
    });
    watch.lost();
    watch.lost();
  });
  expect(polls).toBe(3);
});

test('detects another outage after the server has recovered', async () => {
  let backs = 0;
  const back = Promise.withResolvers<void>();
  const watch = createServerWatch({
    answers: async () => true,
    onBack() {
      backs += 1;
      if (backs === 2) back.resolve();
      else watch.lost();
    },
    sleep: async () => {},
  });
  watch.lost();
  await back.promise;
  expect(backs).toBe(2);
});
