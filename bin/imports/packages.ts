/** Packages that only one folder may import, and why. */
export const PACKAGES: readonly { readonly name: RegExp; readonly folder: string; readonly why: string }[] = [
  { name: /^@?kafkajs(\/|$)/, folder: 'ingest/kafka', why: 'faults of the Kafka client are corrected in one place' },
  {
    name: /^@clickhouse\//,
    folder: 'analytics/clickhouse',
    why: 'its settings keep 64-bit integers exact and inserts acknowledged',
  },
  {
    name: /^@modelcontextprotocol\/(?!client)/,
    folder: 'api/mcp',
    why: 'every tool frames its answers as data in one place',
  },
  {
    name: /^@modelcontextprotocol\/client(\/|$)/,
    folder: 'api/executions/tasks/mcp',
    why: 'its requests go through the outbound guard',
  },
  { name: /^protobufjs(\/|$)/, folder: 'api/executions/tasks/grpc', why: 'the size of proto files is limited there' },
  {
    name: /^@opentelemetry\//,
    folder: 'deploy/tracing',
    why: 'processes that do not trace load none of it; everything else takes the port of schemas/tracing',
  },
];
