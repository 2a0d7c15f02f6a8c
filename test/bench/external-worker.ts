import { createClient, createWorker } from '#api/clients/typescript/src/index.ts';
import { OPERATOR_KEY } from '#test/api/operator-guard.ts';

/** An external worker whose tasks take no time: `node external-worker.ts BASE_URL`. */
const [baseUrl = ''] = process.argv.slice(2);

createWorker(createClient({ apiKey: OPERATOR_KEY, baseUrl }), {
  queue: 'oracle',
  handlers: { note: ({ input }) => input },
  concurrency: 20,
  name: `bench-${process.pid}`,
});
