import { defineConfig } from 'vitepress';

/** The documentation site: `npm run docs` builds it into `docs/.vitepress/dist`, `npm run docs:serve` serves it. Search works offline. */
export default defineConfig({
  title: 'Trapline',
  description: 'Open detection service for memory-exploit attacks',
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: ['generators/**'],
  // Pages link to sources and to READMEs of the repository, which are not part of the site.
  ignoreDeadLinks: [/^(?:\.\.?\/)+(?:analytics|api|bin|dashboards|deploy|examples|ingest|schemas|test|[A-Z]+)(?:\/|$)/],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Guides', link: '/guides/analyst' },
      { text: 'Reference', link: '/reference/http-api' },
    ],
    sidebar: [
      { text: 'Getting started', link: '/getting-started' },
      {
        text: 'Concepts',
        items: [
          { text: 'Path of an event', link: '/concepts/event-path' },
          { text: 'Delivery guarantees', link: '/concepts/delivery-guarantees' },
          { text: 'What the rules miss', link: '/concepts/evasions' },
          { text: 'Scans spread over hosts', link: '/concepts/fleet-scan' },
          { text: 'Risk of a host', link: '/concepts/host-risk' },
          { text: 'Glossary', link: '/glossary' },
        ],
      },
      {
        text: 'Guides',
        items: [
          { text: 'Analyst', link: '/guides/analyst' },
          { text: 'Operator', link: '/guides/operator' },
          { text: 'Detector author', link: '/guides/detector-author' },
          { text: 'Rule author', link: '/guides/rule-author' },
          { text: 'API user', link: '/guides/api-user' },
          { text: 'Workflow author', link: '/guides/workflow-author' },
          { text: 'Platform', link: '/platform' },
          { text: 'Cluster', link: '/operations/cluster' },
          { text: 'Detector on a host', link: '/operations/detector' },
          { text: 'Containers', link: '/operations/containers' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Configuration', link: '/reference/configuration' },
          { text: 'Command line', link: '/reference/commands' },
          { text: 'HTTP API', link: '/reference/http-api' },
          { text: 'Events', link: '/reference/events' },
          { text: 'Detection rules', link: '/reference/rules' },
          { text: 'Error codes', link: '/reference/errors' },
          { text: 'Metrics', link: '/reference/metrics' },
          { text: 'ClickHouse tables', link: '/reference/tables' },
        ],
      },
      {
        text: 'Design decisions',
        items: [
          { text: 'Overview', link: '/decisions/' },
          { text: 'kafkajs with corrections', link: '/decisions/kafkajs' },
          { text: 'An own execution engine', link: '/decisions/execution-engine' },
          { text: 'One lease engine', link: '/decisions/lease-engine' },
          { text: 'One writer token per lane', link: '/decisions/writer-token' },
          { text: 'Embedded engines', link: '/decisions/embedded-engines' },
          { text: 'Subjects and import directions', link: '/decisions/subjects' },
        ],
      },
      { text: 'Performance', link: '/performance' },
      { text: 'Limits', link: '/limits' },
      {
        text: 'Security',
        items: [
          { text: 'Threat model', link: '/security/threat-model' },
          { text: 'Embedded engines', link: '/security/embedded-engines' },
          { text: 'Embedded PostgreSQL', link: '/security/embedded-postgresql' },
          { text: 'Fuzzing', link: '/security/fuzzing' },
          { text: 'Supply chain', link: '/security/supply-chain' },
        ],
      },
      { text: 'Upgrading', link: '/upgrading' },
      {
        text: 'Corrections of dependencies',
        collapsed: true,
        items: [
          { text: 'Overview', link: '/corrections/' },
          { text: 'No timer while nothing is pending', link: '/corrections/kafkajs-idle-timer' },
          { text: 'Batches of a lost group generation are discarded', link: '/corrections/kafkajs-lost-generation' },
          { text: 'Static group membership', link: '/corrections/kafkajs-static-membership' },
          { text: 'Short polls while a partition is paused', link: '/corrections/kafkajs-paused-partitions' },
          { text: 'Record batches of more than 100,000 records', link: '/corrections/kafkajs-large-batches' },
          { text: 'Records are decoded without BigInt', link: '/corrections/kafkajs-record-decoding' },
          { text: 'CRC-32C of eight bytes in one step', link: '/corrections/kafkajs-checksum' },
          { text: 'jq with access to its files and without environment', link: '/corrections/jq-wasm-source' },
          { text: 'A limit on the growth of WebAssembly memory', link: '/corrections/webassembly-memory' },
          { text: 'Prepared statements for marked queries', link: '/corrections/pg-prepared-statements' },
          { text: 'A connection without a response is closed', link: '/corrections/pg-unanswered-queries' },
          { text: 'The embedded ClickHouse listens on a Unix socket', link: '/corrections/libchdb-unix-socket' },
          {
            text: 'A connection error does not end the embedded ClickHouse',
            link: '/corrections/libchdb-connection-errors',
          },
          { text: 'The data directory of the embedded ClickHouse is a descriptor', link: '/corrections/libchdb-paths' },
        ],
      },
      {
        text: 'Contributing',
        items: [
          { text: 'Add a detection rule', link: '/contributing/add-a-rule' },
          { text: 'Add a capture', link: '/contributing/add-a-capture' },
          { text: 'Add an event column', link: '/contributing/add-an-event-column' },
          { text: 'Add an event version', link: '/contributing/add-an-event-version' },
          { text: 'Add an output kind', link: '/contributing/add-an-output-kind' },
          { text: 'Add a kind of task', link: '/contributing/add-a-task-kind' },
          { text: 'Add a console page', link: '/contributing/add-a-console-page' },
        ],
      },
    ],
  },
});
