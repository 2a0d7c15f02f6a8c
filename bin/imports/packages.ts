/** Packages that only certain folders may import, and why. */
export const PACKAGES: readonly { readonly name: RegExp; readonly folders: readonly string[]; readonly why: string }[] =
  [
    {
      name: /^@?kafkajs(\/|$)/,
      folders: ['ingest/kafka'],
      why: 'faults of the Kafka client are corrected in one place',
    },
    {
      name: /^@clickhouse\//,
      folders: ['analytics/clickhouse'],
      why: 'its settings keep 64-bit integers exact and inserts acknowledged',
    },
    {
      name: /^@modelcontextprotocol\/(?!client)/,
      folders: ['api/mcp'],
      why: 'every tool frames its answers as data in one place',
    },
    {
      name: /^@modelcontextprotocol\/client(\/|$)/,
      folders: ['api/executions/tasks/mcp', 'api/agents/mcp'],
      why: 'its requests go through the outbound guard',
    },
    {
      name: /^protobufjs(\/|$)/,
      folders: ['api/executions/tasks/grpc'],
      why: 'the size of proto files is limited there',
    },
    {
      name: /^@opentelemetry\//,
      folders: ['deploy/tracing'],
      why: 'processes that do not trace load none of it; everything else takes the port of schemas/tracing',
    },
  ];
