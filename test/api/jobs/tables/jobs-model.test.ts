import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  type ClaimedJob,
  claimJobs,
  claimSuspectJob,
  failJob,
  finishJob,
  insertJob,
  reclaimExpiredJobs,
  releaseJobs,
  renewLeases,
} from '#api/jobs/tables/jobs.ts';
import type { Database } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});

/** A possible next step of a worker with a current or an ended claim. `at` selects one of all claims so far. */
const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), places: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('finish', 'fail', 'fail for good', 'hand back', 'renew'),
      at: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leases end' as const) }) },
);

const JOBS = 3;
const TRIES = 3;

test('in any order and with any old claim, one worker has a job, only that one writes it, and a finished job stays finished', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (sequence) => {
      await database.deleteFrom('jobs').execute();
      for (let count = 0; count < JOBS; count += 1)
        await insertJob(database, { queue: 'q', payload: count, maxAttempts: TRIES });
      const claims: ClaimedJob[] = [];
      /** The claim that holds each job. */
      const holders = new Map<number, ClaimedJob>();
      const finished = new Set<number>();
      const epochs = new Map<number, number>();

      for (const step of sequence) {
        if (step.kind === 'claim') {
          const usual = await claimJobs(database, new Map([['q', step.places]]), { worker: 'worker', leaseMs: 60_000 });
          const wish = { worker: 'worker', leaseMs: 60_000, alone: usual.length === 0 };
          const suspect = await claimSuspectJob(database, ['q'], wish);
          for (const job of suspect === undefined ? usual : [...usual, suspect]) {
            expect(holders.has(job.id), 'held by another worker').toBe(false);
            expect(finished.has(job.id), 'finished').toBe(false);
            expect(job.epoch).toBe((epochs.get(job.id) ?? 0) + 1);
            expect(job.attempts).toBeLessThanOrEqual(TRIES);
            epochs.set(job.id, job.epoch);
            holders.set(job.id, job);
            claims.push(job);
          }
        } else if (step.kind === 'leases end') {
          await sql`UPDATE jobs SET lease_until = now() - interval '1 s' WHERE state = 'running'`.execute(database);
          const handedOn = await reclaimExpiredJobs(database, null);
          expect(new Set(handedOn.map(({ id }) => id))).toEqual(new Set(holders.keys()));
          for (const { id, state } of handedOn) if (state === 'failed') finished.add(id);
          holders.clear();
        } else if ('at' in step && claims.length > 0) {
          const claim = claims[step.at % claims.length] as ClaimedJob;
          const holds = holders.get(claim.id) === claim;
          expect(await act(step.kind, claim), `${step.kind} with epoch ${claim.epoch}`).toBe(holds);
          if (!holds || step.kind === 'renew') continue;
          holders.delete(claim.id);
          const last = step.kind === 'fail for good' || (step.kind === 'fail' && claim.attempts >= TRIES);
          if (step.kind === 'finish' || last) finished.add(claim.id);
        }
      }
      const left = await database.selectFrom('jobs').select(['id', 'state', 'leaseUntil']).execute();
      expect(left).toHaveLength(JOBS);
      for (const { id, state, leaseUntil } of left) {
        const expected = finished.has(id) ? ['done', 'failed'] : holders.has(id) ? ['running'] : ['waiting'];
        expect(expected).toContain(state);
        expect(leaseUntil !== null).toBe(state === 'running');
      }
    }),
    { numRuns: 40 },
  );
});

/** True when it was written. */
async function act(kind: string, claim: ClaimedJob): Promise<boolean> {
  const failure = { error: 'no', permanent: kind === 'fail for good', delayMs: -1_000 };
  switch (kind) {
    case 'finish':
      return finishJob(database, claim, claim.epoch);
    case 'hand back':
      return (await releaseJobs(database, [claim])).length > 0;
    case 'renew':
      return (await renewLeases(database, [claim], 60_000)).length > 0;
    default:
      return (await failJob(database, claim, failure)) !== undefined;
  }
}
