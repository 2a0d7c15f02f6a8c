/** Packages that only one folder may import, and why. */
export const PACKAGES: readonly { readonly name: RegExp; readonly folder: string; readonly why: string }[] = [
  { name: /^@?kafkajs(\/|$)/, folder: 'ingest/kafka', why: 'faults of the Kafka client are corrected in one place' },
  {
    name: /^@clickhouse\//,
    folder: 'analytics/clickhouse',
    why: 'its settings keep 64-bit integers exact and inserts acknowledged',
  },
  {
    name: /^@modelcontextprotocol\/server/,
    folder: 'api/mcp',
    why: 'every tool frames its answers as data in one place',
  },
  {
    name: /^@modelcontextprotocol\/client/,
    folder: 'api/agents/mcp',
    why: 'every server is reached through the outbound guard',
  },
  {
    name: /^@opentelemetry\//,
    folder: 'deploy/tracing',
    why: 'processes that do not trace load none of it; everything else takes the port of schemas/tracing',
  },
];
