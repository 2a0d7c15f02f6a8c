import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * Long tests start several stores of a kind, fill disks, let processes die again and again, or go through a page of the console step by step.
 * `npm run test:long` runs them, and nothing else does: `npm test` has to end within minutes. A shorter test of the same subject is among the others.
 */
const LONG = 'test/**/*.long.test.ts';
const OTHERS = 'test/**/!(*.long).test.ts';
const long = process.env.TEST_LONG === 'true';

/** What reads, computes and asks services, and leaves its process as it was. */
const CALM = [
  'test/{api,bench,bin,fuzz,lab,schemas}/**/*.test.ts',
  'test/analytics/**/*.test.ts',
  'test/dashboards/grafana/*.test.ts',
  'test/deploy/*.test.ts',
  'test/deploy/{backup,cli,compose,config,doctor,images,kubernetes,packages,processes,tracing}/**/*.test.ts',
  'test/docs/*.test.ts',
  'test/examples/decisions.test.ts',
  'test/ingest/{detector,http,pipeline}/**/*.test.ts',
  'test/ingest/kafka/{admin,codecs,failure,partitioner,producer,secured}.test.ts',
  'test/ingest/threads/{link,relayed-*,spread-partitions}.test.ts',
  'test/invariants/{cluster/**/*,exactly-once,soak-options}.test.ts',
  'test/support/*.test.ts',
];
/**
 * But for these: they kill what they started, measure memory or processor time, turn the clock, replace what others use too, or take so long that they
 * have to begin early.
 */
const NOT_CALM = [
  LONG,
  'test/**/{crash,fuzz,killed-engine,live-kernel,memory,*-unavailable}.test.ts',
  'test/api/{clients,executions/sandbox}/**',
  'test/api/outbound/outbound-fetch.test.ts',
  'test/api/accounts/{sign-in/sign-in,oauth/pending-sign-in}.test.ts',
  'test/bin/{bootstrap,corrections}.test.ts',
  'test/deploy/cli/{input-lines,process-title}.test.ts',
  'test/docs/guides.test.ts',
];
const together = globSync(CALM, { cwd: import.meta.dirname, exclude: NOT_CALM });
/** Tests of modules of the console, which contain JSX. Only Vite loads that. */
const consoleModules = globSync('test/dashboards/console/{api,app,language,pages,parts}/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: [LONG],
});
/** `npm run test:watch` needs the module graph of Vite, which knows only what Vite loads. */
const native =
  process.env.TEST_WATCH === 'true'
    ? {}
    : {
        runner: 'test/support/native-runner.ts',
        // Loaded by Node too: in code that Vite has transformed, import() asks Vite.
        server: { deps: { external: [/native-runner\.ts$/] } },
      };
/**
 * Collects garbage later in workers that run hundreds of files. Their heap grows to some hundred MiB in any case.
 */
const LATE_COLLECTION = ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-heap-size=512'];
const common = {
  setupFiles: ['test/support/each-file.ts'],
  // Processes, not threads: tests kill children, change signal handlers and load native engines.
  pool: 'forks',
  // For what hangs; a machine that is busy with something else takes many times as long. The first test that asks for a service waits until it has started.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 90_000, interval: 50 } },
} as const;

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // Two cores are what the figures assume; two more workers use what the others leave while they wait: for a lease that ends, a broker
    // that comes back, a page that is drawn. On bigger machines the services stay the bottleneck.
    maxWorkers: 4,
    teardownTimeout: 20_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          ...native,
          name: 'apart',
          include: [long ? LONG : OTHERS],
          exclude: [...together, ...consoleModules],
        },
      },
      { test: { ...common, name: 'console', include: long ? [] : consoleModules, isolate: false } },
      // Loading the modules takes longer than most of these tests: each worker loads them once.
      {
        test: {
          ...common,
          ...native,
          name: 'together',
          include: long ? [] : together,
          isolate: false,
          execArgv: LATE_COLLECTION,
        },
      },
    ],
  },
});
