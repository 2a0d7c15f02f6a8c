/** A template of a task. `kind` is its name until the user renames it. */
export interface TaskTemplate {
  readonly kind: string;
  readonly task: Readonly<Record<string, unknown>>;
}

/** Formats an expression in the syntax of the language. */
const expression = (text: string) => `\${ ${text} }`;

/** A case of a `switch`. */
const leadsTo = (next: string, when?: string) =>
  Object.fromEntries([...(when === undefined ? [] : [['when', expression(when)]]), ['then', next]]);

/** Templates of tasks, the most common ones first. Each is valid without changes. */
export const TASK_TEMPLATES: readonly TaskTemplate[] = [
  { kind: 'set', task: { set: { value: 1 } } },
  {
    kind: 'http',
    task: {
      call: 'http',
      with: { method: 'POST', endpoint: { uri: 'https://example.org/' }, body: { text: 'hello' } },
    },
  },
  {
    kind: 'openapi',
    task: {
      call: 'openapi',
      with: {
        document: { endpoint: 'https://example.org/openapi.json' },
        operationId: 'getThing',
        parameters: { id: expression('.id') },
      },
    },
  },
  {
    kind: 'grpc',
    task: {
      call: 'grpc',
      with: {
        proto: { endpoint: 'https://example.org/greet.proto' },
        service: { name: 'greet.v1.Greeter', host: 'grpc.example.org' },
        method: 'Greet',
        arguments: { name: expression('.name') },
      },
    },
  },
  {
    kind: 'asyncapi',
    task: {
      call: 'asyncapi',
      with: {
        document: { endpoint: 'https://example.org/asyncapi.json' },
        operation: 'sendThing',
        message: { payload: { id: expression('.id') } },
      },
    },
  },
  {
    kind: 'mcp',
    task: {
      call: 'mcp',
      with: {
        method: 'tools/call',
        parameters: { name: 'search', arguments: { text: expression('.text') } },
        transport: { http: { endpoint: 'https://example.org/mcp' } },
      },
    },
  },
  {
    kind: 'a2a',
    task: {
      call: 'a2a',
      with: {
        method: 'message/send',
        agentCard: { endpoint: 'https://example.org/.well-known/agent-card.json' },
        parameters: { message: { parts: [{ kind: 'text', text: expression('.text') }] } },
      },
    },
  },
  { kind: 'detection', task: { call: 'trapline.detection.get', with: { id: expression('.id') } } },
  { kind: 'script', task: { run: { script: { language: 'javascript', code: 'return 1;\n' } } } },
  { kind: 'workflow', task: { run: { workflow: { namespace: 'default', name: 'other', version: 'latest' } } } },
  {
    kind: 'approval',
    task: {
      metadata: { approval: { approvers: [{ role: 'analyst' }], except: ['starter'] } },
      listen: { to: { one: { with: { type: 'org.example.decided' } } } },
      timeout: { after: { hours: 8 } },
    },
  },
  { kind: 'listen', task: { listen: { to: { one: { with: { type: 'org.example.happened' } } } } } },
  {
    kind: 'emit',
    task: { emit: { event: { with: { source: 'https://example.org/workflow', type: 'org.example.happened' } } } },
  },
  { kind: 'wait', task: { wait: { minutes: 5 } } },
  { kind: 'switch', task: { switch: [{ yes: leadsTo('continue', '.value == 1') }, { otherwise: leadsTo('end') }] } },
  {
    kind: 'for',
    task: { for: { each: 'item', in: expression('.items') }, do: [{ step: { set: { value: expression('$item') } } }] },
  },
  {
    kind: 'try',
    task: { try: [{ step: { set: { value: 1 } } }], catch: { do: [{ failed: { set: { value: null } } }] } },
  },
  { kind: 'fork', task: { fork: { branches: [{ first: { set: { value: 1 } } }, { second: { set: { value: 2 } } }] } } },
  {
    kind: 'raise',
    task: { raise: { error: { type: 'https://example.org/errors/failed', status: 400, title: 'Failed' } } },
  },
];
