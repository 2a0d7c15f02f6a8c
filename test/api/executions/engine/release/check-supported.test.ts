import { describe, expect, it } from 'vitest';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import { REFUSALS } from '#api/executions/engine/release/supported.ts';
import { workflow } from '../play.ts';

const http = `call: http, with: { method: get, endpoint: https://example.com }`;

describe('checkSupported', () => {
  it('accepts everything that is supported', () => {
    const definition = workflow(`
input: { schema: { format: json, document: { type: object } } }
use:
  secrets: [s]
  authentications:
    known: { bearer: { use: s } }
    digest: { digest: { username: a, password: b } }
    oidc: { oidc: { use: s } }
    password: { oauth2: { grant: password, username: a, password: b, client: { id: c, authentication: none } } }
    signed: { oauth2: { grant: client_credentials, client: { assertion: a, authentication: private_key_jwt } } }
    plain: { oauth2: { client: { id: a, secret: b } } }
    certificate: { certificate: { use: s } }
  functions: { f: { ${http} } }
  retries: { r: { delay: PT1S } }
  errors: { e: { type: x, status: 400 } }
  timeouts: { t: { after: PT1S } }
timeout: t
do:
  - a: { call: f, then: d }
  - b: { call: http, with: { method: get, endpoint: { uri: https://example.com, authentication: { use: known } } } }
  - b1: { call: http, with: { method: get, endpoint: '{scheme}://example.com/{path}' } }
  - b2: { call: openapi, with: { document: { endpoint: '\${ .document }' }, operationId: o } }
  - b3: { call: 'https://example.com/function.yaml' }
  - c: { run: { script: { language: javascript, code: '1' } }, timeout: t }
  - d: { run: { workflow: { namespace: n, name: w, version: latest }, await: false } }
  - e: { fork: { compete: true, branches: [ { x: { wait: PT1S } }, { y: { raise: { error: e } }, } ] } }
  - f: { try: [ { x: { ${http} } } ], catch: { retry: r, do: [ { y: { emit: { event: { with: { source: s, type: t } } } } } ] } }
  - g: { for: { in: .x }, while: .y, do: [ { x: { switch: [ { c: { when: .a, then: y } } ] } }, { y: { set: { a: 1 }, then: exit } } ] }
  - h: { listen: { to: { any: [ { with: { type: x } } ] }, read: envelope } }
  - i: { listen: { to: { any: [], until: { all: [ { with: { type: x } } ] } }, read: raw } }
  - j: { listen: { to: { any: [], until: length > 3 } }, foreach: { item: event, at: i, do: [ { x: { wait: PT1S } } ], output: { as: .x }, export: { as: .y } } }`);
    expect(checkSupported(definition)).toEqual([]);
  });

  it.each<[string, string, string]>([
    [
      'call.grpc.digest',
      'do: [ { a: { call: grpc, with: { service: { authentication: { digest: {} } } } } } ]',
      'do/0/a/with/service/authentication/digest',
    ],
    [
      'call.mcp.transport',
      'do: [ { a: { do: [ { b: { call: mcp, with: { transport: { stdio: { command: x }, http: { endpoint: "https://x" } } } } } ] } } ]',
      'do/0/a/do/0/b/with/transport',
    ],
    [
      'call.unknown',
      'do: [ { a: { fork: { branches: [ { b: { call: nothing } } ] } } } ]',
      'do/0/a/fork/branches/0/b/call',
    ],
    [
      'call.unknown',
      'do: [ { a: { try: [], catch: { do: [ { b: { call: nothing } } ] } } } ]',
      'do/0/a/catch/do/0/b/call',
    ],
    [
      'run.script.language',
      'do: [ { a: { run: { script: { language: ruby, code: x } } } } ]',
      'do/0/a/run/script/language',
    ],
    [
      'run.return',
      "do: [ { a: { run: { workflow: { namespace: n, name: w, version: '1' }, return: code } } } ]",
      'do/0/a/run/return',
    ],
    [
      'call.unknown',
      'do: [ { a: { listen: { to: { any: [] } }, foreach: { do: [ { b: { call: nothing, with: {} } } ] } } } ]',
      'do/0/a/foreach/do/0/b/call',
    ],
    [
      'schema.format',
      'do: [ { a: { listen: { to: { any: [] } }, foreach: { output: { schema: { format: avro, document: {} } } } } } ]',
      'do/0/a/foreach/output/schema/format',
    ],
    ['directive.unknown', 'do: [ { a: { set: { n: 1 }, then: b } } ]', 'do/0/a/then'],
    ['directive.unknown', 'do: [ { a: { switch: [ { c: { then: b } } ] } } ]', 'do/0/a/switch/0/c/then'],
    [
      'directive.unknown',
      'do: [ { a: { fork: { branches: [ { b: { set: {}, then: c } }, { c: { set: {} } } ] } } } ]',
      'do/0/a/fork/branches/0/b/then',
    ],
    ['reference.unknown', 'do: [ { a: { raise: { error: e } } } ]', 'do/0/a/raise/error'],
    ['reference.unknown', 'do: [ { a: { try: [], catch: { retry: r } } } ]', 'do/0/a/catch/retry'],
    ['reference.unknown', 'do: [ { a: { set: {}, timeout: t } } ]', 'do/0/a/timeout'],
    [
      'reference.unknown',
      'do: [ { a: { call: http, with: { endpoint: { uri: "https://x", authentication: { use: n } } } } } ]',
      'do/0/a/with/endpoint/authentication/use',
    ],
    [
      'reference.secret',
      'use: { secrets: [ s ], authentications: { c: { certificate: { use: t } } } }\ndo: []',
      'use/authentications/c/certificate/use',
    ],
    [
      'reference.secret',
      'do: [ { a: { call: http, with: { endpoint: { uri: "https://x", authentication: { basic: { use: s } } } } } } ]',
      'do/0/a/with/endpoint/authentication/basic/use',
    ],
    [
      'authentication.oauth2.grant',
      'use: { authentications: { o: { oauth2: { grant: authorization_code, client: { id: a, secret: b } } } } }\ndo: []',
      'use/authentications/o/oauth2/grant',
    ],
    [
      'authentication.oauth2.client',
      'use: { authentications: { o: { oauth2: { grant: client_credentials, client: { id: a } } } } }\ndo: []',
      'use/authentications/o/oauth2/client',
    ],
    [
      'authentication.oauth2.client',
      'use: { authentications: { o: { oauth2: { grant: client_credentials, client: { id: a, secret: b, authentication: private_key_jwt } } } } }\ndo: []',
      'use/authentications/o/oauth2/client',
    ],
    [
      'authentication.oauth2.part',
      'use: { authentications: { o: { oidc: { grant: refresh_token, client: { id: a, secret: b } } } } }\ndo: []',
      'use/authentications/o/oidc/grant',
    ],
    [
      'authentication.certificate',
      'do: [ { a: { call: openapi, with: { document: { endpoint: { uri: "http://x", authentication: { certificate: { use: s } } } } } } } ]\nuse: { secrets: [ s ] }',
      'do/0/a/with/document/endpoint/authentication',
    ],
    [
      'endpoint.address',
      'do: [ { a: { call: grpc, with: { proto: { endpoint: "file://app/greet.proto" } } } } ]',
      'do/0/a/with/proto/endpoint',
    ],
    [
      'endpoint.address',
      'do: [ { a: { call: http, with: { endpoint: { uri: "ftp://host.test/{name}" } } } } ]',
      'do/0/a/with/endpoint/uri',
    ],
    [
      'endpoint.address',
      'do: [ { a: { call: a2a, with: { method: tasks/get, server: host.test } } } ]',
      'do/0/a/with/server',
    ],
    [
      'schema.address',
      'do: [ { a: { set: {}, output: { schema: { resource: { endpoint: "https://host.test/{name}" } } } } } ]',
      'do/0/a/output/schema/resource/endpoint',
    ],
    [
      'authentication.certificate',
      'input: { schema: { resource: { endpoint: { uri: "http://host.test/a", authentication: { use: c } } } } }\nuse: { secrets: [ s ], authentications: { c: { certificate: { use: s } } } }\ndo: []',
      'input/schema/resource/endpoint/authentication',
    ],
    ['schema.format', 'input: { schema: { format: avro, document: {} } }\ndo: []', 'input/schema/format'],
    ['evaluate.language', 'evaluate: { language: js }\ndo: []', 'evaluate/language'],
    ['wait.duration', 'do: [ { a: { wait: P1Y } } ]', 'do/0/a/wait'],
    ['task', 'do: [ { a: { unknown: 1 } } ]', 'do/0/a'],
    ['call.unknown', 'use: { functions: { f: { call: nothing } } }\ndo: []', 'use/functions/f/call'],
  ])('rejects %s in %s', (key, yaml, path) => {
    const refusals = checkSupported(workflow(yaml));
    expect(refusals.map((refusal) => [refusal.key, refusal.path.join('/')])).toEqual([[key, path]]);
    expect(refusals[0]?.message).toContain(REFUSALS.get(key));
  });

  it('rejects external schemas where a release does not fetch them', () => {
    const yaml = 'do: [ { a: { set: {}, output: { schema: { resource: { endpoint: "https://host.test/a" } } } } } ]';
    const refusals = checkSupported(workflow(yaml), { shell: true, containers: true, schemaResources: false });
    expect(refusals.map(({ key }) => key)).toEqual(['schema.resource']);
    expect(checkSupported(workflow(yaml))).toEqual([]);
  });

  it('has a sentence as reason for each rejection', () => {
    for (const [key, reason] of REFUSALS) expect(reason, key).toMatch(/^.*\.$/);
  });
});
