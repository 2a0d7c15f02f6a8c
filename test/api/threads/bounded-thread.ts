import { parentPort } from 'node:worker_threads';

/** The thread of `bounded-threads.test.ts`: echoes messages, unless a message makes it exceed its limits. */
parentPort?.on('message', (request: string) => {
  if (request === 'loop') for (;;);
  const kept: unknown[] = [];
  while (request === 'allocate') kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })));
  parentPort?.postMessage(request);
});
parentPort?.postMessage('ready');
