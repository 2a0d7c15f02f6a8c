import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders and files that take longest, those that take longer first: many processes, a browser, or long waits. */
const LONG = [
  '/test/invariants/oracle.test.ts',
  '/test/dashboards/console/detections.test.ts',
  '/test/api/clients/python/',
  '/test/dashboards/console/',
  '/test/e2e/',
  '/test/docs/guides.test.ts',
  '/test/deploy/',
  '/test/invariants/',
  '/test/api/clients/',
  '/test/examples/',
  '/test/api/executions/sandbox/',
  // Of those that share a worker.
  '/test/dashboards/grafana/',
  '/test/api/telemetry/live-feed/live-feed.test.ts',
  '/test/api/executions/routes/long-poll.test.ts',
  '/test/api/outputs/delivery.test.ts',
  '/test/api/workflows/definitions/check.test.ts',
  '/test/analytics/clickhouse/detector-habits.test.ts',
  '/test/api/shared-state/ioredis.test.ts',
  '/test/bench/fleet-events.test.ts',
  '/test/api/http/slow-readers.test.ts',
  '/test/api/executions/store/counts.test.ts',
  '/test/ingest/pipeline/lane-settings.test.ts',
  '/test/api/agents/routes/agent-runs.test.ts',
  '/test/api/http/description/reference.test.ts',
];

/**
 * Begins with what takes longest, so that the run does not end with one worker at it while the others have nothing to do any
 * more. Vitest itself knows how long files took only after a first run, and goes by their size until then.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((folder) => moduleId.includes(folder));
      return index === -1 ? LONG.length : index;
    };
    sorted.sort((a, b) => rank(a) - rank(b));
    // Files that share a worker come last, together.
    const shares = ({ project }: TestSpecification): boolean => !project.config.isolate;
    return [...sorted.filter((file) => !shares(file)), ...sorted.filter(shares)];
  }
}
