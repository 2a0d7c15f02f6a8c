import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Processes, not threads: tests kill children, change signal handlers and load native engines.
    pool: 'forks',
    // Two cores are what the figures assume; on bigger machines the services stay the bottleneck.
    maxWorkers: 2,
    // The first test that asks for a service waits until it has started.
    testTimeout: 30_000,
    hookTimeout: 90_000,
    teardownTimeout: 20_000,
  },
});
