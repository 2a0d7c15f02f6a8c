import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { randomName, useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { makeTopic, numbered, recordingConsumer, testProducer } from './fixture.ts';

let connection: KafkaConnection;
const SESSION_MS = 3000;

beforeAll(async () => {
  const { brokers } = await useKafka();
  connection = { brokers };
});

/** A consumer in its own process. */
function consumerProcess(options: { topic: string; groupId: string; instanceId?: string; sessionTimeoutMs?: number }): {
  child: ChildProcess;
  said: { assigned?: number[]; records?: number; failed?: string }[];
} {
  const program = fileURLToPath(new URL('./consumer-process.ts', import.meta.url));
  const settings = JSON.stringify({ connection, sessionTimeoutMs: SESSION_MS, commit: true, ...options });
  const child = spawn(process.execPath, [program, settings], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: ReturnType<typeof consumerProcess>['said'] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)));
  return { child, said };
}

test('partitions of a member killed with SIGKILL move to others within the session time-out', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const groupId = randomName('group');
  const survivor = recordingConsumer({ connection, groupId, topics: [topic], sessionTimeoutMs: SESSION_MS });
  await survivor.consumer.start();
  const victim = consumerProcess({ topic, groupId });
  await waitFor(
    'one partition each',
    () => victim.said.at(-1)?.assigned?.length === 1 && survivor.assignments.at(-1)?.length === 1,
  );
  await testProducer(connection).send(topic, numbered(0, 50));
  await waitFor('records at the victim', () => victim.said.some(({ records }) => records !== undefined));
  const killedAt = Date.now();
  victim.child.kill('SIGKILL');
  await waitFor('both partitions', () => survivor.assignments.at(-1)?.length === 2);
  const took = Date.now() - killedAt;
  console.log(`takeover ${took} ms after SIGKILL, session time-out ${SESSION_MS} ms`);
});

test('a static member started again after SIGKILL gets its partitions immediately', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const options = { topic, groupId: randomName('group'), instanceId: 'only-one', sessionTimeoutMs: 60_000 };
  // The session timeout is longer than the test timeout, so waiting for it fails the test.
  const victim = consumerProcess(options);
  await waitFor('the assignment', () => victim.said.some(({ assigned }) => assigned?.length === 2));
  const killedAt = Date.now();
  victim.child.kill('SIGKILL');
  const next = consumerProcess(options);
  await waitFor('the assignment again', () => next.said.some(({ assigned }) => assigned?.length === 2));
  const took = Date.now() - killedAt;
  console.log(`static member back ${took} ms after SIGKILL, process start included`);
  await testProducer(connection).send(topic, numbered(0, 20));
  await waitFor('records', () => next.said.reduce((sum, { records = 0 }) => sum + records, 0) === 20);
});

test('of two members with one static name the older one fails', async () => {
  const topic = await makeTopic(connection, { partitions: 2 });
  const options = {
    connection,
    topics: [topic],
    groupId: randomName('group'),
    instanceId: 'twice',
    sessionTimeoutMs: SESSION_MS,
  };
  const first = recordingConsumer(options);
  await first.consumer.start();
  const second = recordingConsumer(options);
  await second.consumer.start();
  await waitFor('the first one to be fenced', () => first.failures.length > 0);
  expect(first.failures[0]).toMatchObject({ name: 'KafkaFailure', code: 'FENCED_INSTANCE_ID' });
  expect(second.failures).toEqual([]);
});
