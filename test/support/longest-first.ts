import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest folders and files, slowest first: they start many processes, use a browser, or wait long. */
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
  // The slowest of the files that share a worker.
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
 * Runs the slowest files first, so that no single worker is still busy at the end while the others are idle. Vitest
 * knows the durations only after a first run and sorts by file size until then.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((folder) => moduleId.includes(folder));
      return index === -1 ? LONG.length : index;
    };
    sorted.sort((a, b) => rank(a) - rank(b));
    // Files that share a worker run last, those of a project together: a worker belongs to one project.
    const group = ({ project }: TestSpecification): string => (project.config.isolate ? '' : project.name);
    return sorted.sort((a, b) => group(a).localeCompare(group(b)));
  }
}
