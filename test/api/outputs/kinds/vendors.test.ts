import { describe, expect, test } from 'vitest';
import { outputKind } from '#api/outputs/kind-registry.ts';
import type { Output, OutputMessage } from '#api/outputs/port.ts';
import type { Detection } from '#schemas/detection.ts';
import { failure, outboundFetch, soon } from '../deliveries.ts';
import { message } from '../fixture.ts';
import { type Answer, httpReceiver, type Received } from '../receivers.ts';

/**
 * Tests each kind against a server that checks requests as the vendor documents them: method, path, credentials,
 * required fields, maximum lengths. A request that violates the documentation is rejected as by the vendor, so the
 * delivery fails.
 */
interface Vendor {
  readonly settings: (url: string) => object;
  readonly secrets: (url: string) => object;
  /** Returns the vendor's response to a documented request; throws for any other request. */
  readonly accept: (received: Received) => Answer;
  /** Documented responses and the expected outcome: the message is retried or rejected. */
  readonly answers: readonly (readonly [answer: Answer, kind: 'temporary' | 'permanent'])[];
}

const jsonOf = ({ body }: Received) => JSON.parse(body) as Readonly<Record<string, never>>;
const answer = (status: number, body: object | string = ''): Answer => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const expectRequest = ({ method, target, headers }: Received, wanted: object) =>
  expect({ method, target, type: headers['content-type'], authorization: headers.authorization }).toMatchObject(wanted);

const JSON_TYPE = 'application/json';
const BASIC = `Basic ${Buffer.from('bot@example.org:secret').toString('base64')}`;

const VENDORS: Readonly<Record<string, Vendor>> = {
  // https://docs.slack.dev/reference/methods/chat.postMessage
  slack: {
    settings: (url) => ({ channel: 'C0123456789', url: `${url}/api/chat.postMessage` }),
    secrets: () => ({ token: 'xoxb-1' }),
    accept(received) {
      expectRequest(received, { method: 'POST', target: '/api/chat.postMessage', authorization: 'Bearer xoxb-1' });
      expect(received.headers['content-type']).toBe('application/json; charset=utf-8');
      const { channel, text, blocks, metadata } = jsonOf(received) as unknown as SlackMessage;
      expect(channel).toBe('C0123456789');
      expect(text).not.toMatch(/[<>]/);
      expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'section']);
      expect(blocks[0]?.text?.text.length).toBeLessThanOrEqual(150);
      expect(blocks[1]?.text?.text.length).toBeLessThanOrEqual(3_000);
      expect(blocks[2]?.fields?.length).toBeLessThanOrEqual(10);
      for (const block of blocks)
        for (const { type } of [block.text ?? block.fields ?? []].flat()) expect(type).toBe('plain_text');
      expect(metadata).toMatchObject({ event_type: 'trapline_detection', event_payload: { revision: 1 } });
      return answer(200, { ok: true, channel, ts: '1503435956.000247' });
    },
    answers: [
      [answer(200, { ok: false, error: 'invalid_auth' }), 'temporary'],
      [answer(200, { ok: false, error: 'channel_not_found' }), 'temporary'],
      [answer(200, { ok: false, error: 'invalid_blocks' }), 'permanent'],
      [answer(200, { ok: false, error: 'msg_too_long' }), 'permanent'],
      [answer(429), 'temporary'],
      [answer(503), 'temporary'],
    ],
  },
  // https://learn.microsoft.com/connectors/teams/ and https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors
  teams: {
    settings: () => ({}),
    secrets: (url) => ({ url: `${url}/workflows/1/triggers/manual/paths/invoke?sig=x` }),
    accept(received) {
      expectRequest(received, { method: 'POST', type: JSON_TYPE });
      expect(Buffer.byteLength(received.body)).toBeLessThan(28 * 1024);
      const { type, attachments } = jsonOf(received) as unknown as { type: string; attachments: readonly TeamsCard[] };
      expect(type).toBe('message');
      expect(attachments).toMatchObject([
        { contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard', version: '1.4' } },
      ]);
      expect(new Set(attachments[0]?.content.body.map((block) => block.type))).toEqual(new Set(['RichTextBlock']));
      return answer(202);
    },
    answers: [
      [
        answer(200, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429'),
        'temporary',
      ],
      [answer(400, { error: { code: 'TriggerInputSchemaMismatch' } }), 'permanent'],
      [answer(401), 'temporary'],
      [answer(413), 'permanent'],
      [answer(429), 'temporary'],
      [answer(502), 'temporary'],
    ],
  },
  // https://developer.pagerduty.com/docs/events-api-v2-overview
  pagerduty: {
    settings: (url) => ({ url: `${url}/v2/enqueue` }),
    secrets: () => ({ routingKey: 'r'.repeat(32) }),
    accept(received) {
      expectRequest(received, { method: 'POST', target: '/v2/enqueue', type: JSON_TYPE });
      const { routing_key, event_action, dedup_key, payload } = jsonOf(received) as unknown as PagerDutyEvent;
      expect(routing_key).toBe('r'.repeat(32));
      expect(dedup_key).toMatch(/^det_/);
      expect(dedup_key.length).toBeLessThanOrEqual(255);
      expect(['trigger', 'resolve']).toContain(event_action);
      if (event_action === 'trigger') {
        expect(payload?.summary.length).toBeLessThanOrEqual(1_024);
        expect(['critical', 'error', 'warning', 'info']).toContain(payload?.severity);
        expect(payload?.source).not.toBe('');
      }
      return answer(202, { status: 'success', message: 'Event processed', dedup_key });
    },
    answers: [
      [answer(400, { status: 'invalid event', errors: ["'payload.summary' is missing"] }), 'permanent'],
      [answer(400, { status: 'invalid event', errors: ["'routing_key' is invalid"] }), 'temporary'],
      [answer(413), 'permanent'],
      [answer(429), 'temporary'],
      [answer(500), 'temporary'],
    ],
  },
  // https://docs.opsgenie.com/docs/alert-api
  opsgenie: {
    settings: (url) => ({ url }),
    secrets: () => ({ apiKey: 'og-key' }),
    accept(received) {
      expectRequest(received, { method: 'POST', type: JSON_TYPE, authorization: 'GenieKey og-key' });
      const body = jsonOf(received) as unknown as OpsgenieAlert;
      if (received.target === '/v2/alerts') {
        expect(body.message.length).toBeLessThanOrEqual(130);
        expect(body.alias.length).toBeLessThanOrEqual(512);
        expect(body.description.length).toBeLessThanOrEqual(15_000);
        expect(body.entity.length).toBeLessThanOrEqual(512);
        expect(body.priority).toMatch(/^P[1-5]$/);
      } else expect(received.target).toMatch(/^\/v2\/alerts\/det_[0-9a-f]+\/close\?identifierType=alias$/);
      return answer(202, { result: 'Request will be processed', took: 0.1, requestId: '43a29c5c' });
    },
    answers: [
      [answer(401), 'temporary'],
      [answer(403), 'temporary'],
      [answer(422, { message: 'Message can not be empty' }), 'permanent'],
      [answer(429), 'temporary'],
      [answer(503), 'temporary'],
    ],
  },
  // https://developer.atlassian.com/cloud/jira/platform/rest/v3
  jira: {
    settings: (url) => ({ url, user: 'bot@example.org', project: 'SEC' }),
    secrets: () => ({ token: 'secret' }),
    accept(received) {
      expectRequest(received, { method: 'POST', type: JSON_TYPE, authorization: BASIC });
      if (received.target === '/rest/api/3/search/jql') {
        expect(jsonOf(received)).toMatchObject({
          jql: expect.stringMatching(/^project = "SEC" AND labels = "det_\S+"$/),
        });
        return answer(200, { issues: [], isLast: true });
      }
      expect(received.target).toBe('/rest/api/3/issue');
      const { fields } = jsonOf(received) as unknown as { fields: JiraFields };
      expect(fields).toMatchObject({
        project: { key: 'SEC' },
        issuetype: { name: 'Task' },
        description: { type: 'doc', version: 1 },
      });
      expect(fields.summary).toMatch(/^.{1,255}$/);
      for (const label of fields.labels) expect(label).not.toMatch(/\s/);
      return answer(201, { id: '10000', key: 'SEC-24', self: 'https://example.atlassian.net/rest/api/3/issue/10000' });
    },
    answers: [
      [answer(400, { errorMessages: [], errors: { summary: 'is required' } }), 'permanent'],
      [answer(401), 'temporary'],
      [answer(403), 'temporary'],
      [answer(404), 'temporary'],
      [answer(429), 'temporary'],
      [answer(500), 'temporary'],
    ],
  },
  // https://docs.servicenow.com: Table API
  servicenow: {
    settings: (url) => ({ url, user: 'bot@example.org', assignmentGroup: 'SOC' }),
    secrets: () => ({ password: 'secret' }),
    accept(received) {
      expectRequest(received, { authorization: BASIC });
      expect(received.headers.accept).toBe(JSON_TYPE);
      if (received.method === 'GET') {
        expect(decodeURIComponent(received.target)).toMatch(
          /^\/api\/now\/table\/incident\?sysparm_query=correlation_id=det_/,
        );
        return answer(200, { result: [] });
      }
      expectRequest(received, { method: 'POST', target: '/api/now/table/incident', type: JSON_TYPE });
      const record = jsonOf(received) as unknown as Readonly<Record<string, string>>;
      expect(record.short_description).toMatch(/^.{1,160}$/);
      expect(record).toMatchObject({
        correlation_display: 'Trapline',
        assignment_group: 'SOC',
        urgency: expect.stringMatching(/^[123]$/),
      });
      return answer(201, { result: { sys_id: 'a'.repeat(32), number: 'INC0010001' } });
    },
    answers: [
      [answer(400, { error: { message: 'Invalid table' }, status: 'failure' }), 'permanent'],
      [answer(401), 'temporary'],
      [answer(403), 'temporary'],
      [answer(404), 'temporary'],
      [answer(429), 'temporary'],
      [answer(503), 'temporary'],
    ],
  },
  // https://docs.splunk.com: HTTP Event Collector, possible error codes
  'splunk-hec': {
    settings: (url) => ({ url, index: 'security' }),
    secrets: () => ({ token: 'B5A79AAD-D822-46CC-80D1-819F80D7BFB0' }),
    accept(received) {
      const authorization = 'Splunk B5A79AAD-D822-46CC-80D1-819F80D7BFB0';
      expectRequest(received, { method: 'POST', target: '/services/collector/event', authorization });
      for (const line of received.body.split('\n'))
        expect(JSON.parse(line)).toMatchObject({
          time: 1_772_366_400.123,
          index: 'security',
          sourcetype: 'trapline:detection',
          event: { detection: { id: expect.stringMatching(/^det_/) } },
        });
      return answer(200, { text: 'Success', code: 0 });
    },
    answers: [
      [answer(400, { text: 'Invalid data format', code: 6, 'invalid-event-number': 0 }), 'permanent'],
      [answer(400, { text: 'Incorrect index', code: 7, 'invalid-event-number': 0 }), 'temporary'],
      [answer(401, { text: 'Invalid authorization', code: 3 }), 'temporary'],
      [answer(403, { text: 'Invalid token', code: 4 }), 'temporary'],
      [answer(413), 'permanent'],
      [answer(500, { text: 'Internal server error', code: 8 }), 'temporary'],
      [answer(503, { text: 'Server is busy', code: 9 }), 'temporary'],
    ],
  },
  // https://www.elastic.co/docs/api: Bulk index or delete documents
  elasticsearch: {
    settings: (url) => ({ url }),
    secrets: () => ({ authorization: 'ApiKey abc' }),
    accept(received) {
      expectRequest(received, { method: 'POST', type: 'application/x-ndjson', authorization: 'ApiKey abc' });
      expect(received.target).toMatch(/^\/logs-trapline\.detection-default\/_bulk\?/);
      expect(received.body.endsWith('\n')).toBe(true);
      const lines = received.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
      const actions = lines.filter((_, at) => at % 2 === 0);
      for (const action of actions) expect(action).toMatchObject({ create: { _id: expect.stringMatching(/^det_/) } });
      for (const document of lines.filter((_, at) => at % 2 === 1)) expect(document).toHaveProperty('@timestamp');
      return answer(200, { errors: false, items: actions.map(() => ({ create: { status: 201 } })) });
    },
    answers: [
      [bulk({ status: 400, error: { type: 'document_parsing_exception', reason: 'failed' } }), 'permanent'],
      [bulk({ status: 429, error: { type: 'es_rejected_execution_exception', reason: 'queue is full' } }), 'temporary'],
      [
        bulk({ status: 503, error: { type: 'unavailable_shards_exception', reason: 'primary is not active' } }),
        'temporary',
      ],
      [bulk({ status: 404, error: { type: 'index_not_found_exception', reason: 'no such index' } }), 'temporary'],
      [bulk({ status: 400, error: { type: 'index_closed_exception', reason: 'closed' } }), 'temporary'],
      [
        bulk({
          status: 400,
          error: {
            type: 'illegal_argument_exception',
            reason: 'only write ops with an op_type of create are allowed in data streams',
          },
        }),
        'temporary',
      ],
      [answer(401), 'temporary'],
      [answer(413), 'permanent'],
      [answer(429), 'temporary'],
      [answer(503), 'temporary'],
    ],
  },
  // https://grafana.com/docs/loki/latest/reference/loki-http-api
  loki: {
    settings: (url) => ({ url, tenant: 'security' }),
    secrets: () => ({ authorization: BASIC }),
    accept(received) {
      expectRequest(received, { method: 'POST', target: '/loki/api/v1/push', type: JSON_TYPE, authorization: BASIC });
      expect(received.headers['x-scope-orgid']).toBe('security');
      const { streams } = jsonOf(received) as unknown as { streams: readonly LokiStream[] };
      for (const { stream, values } of streams) {
        for (const label of Object.keys(stream)) expect(label).toMatch(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/);
        for (const [time, line, metadata] of values) {
          expect(time).toBe('1772366400123000000');
          expect(JSON.parse(line)).toHaveProperty('detection');
          for (const value of Object.values(metadata)) expect(typeof value).toBe('string');
        }
      }
      return answer(204);
    },
    answers: [
      [answer(400, 'entry too far behind'), 'permanent'],
      [answer(401), 'temporary'],
      [answer(429, 'Ingestion rate limit exceeded'), 'temporary'],
      [answer(500), 'temporary'],
    ],
  },
  // https://opentelemetry.io/docs/specs/otlp/#otlphttp
  'otlp-logs': {
    settings: (url) => ({ url: `${url}/v1/logs` }),
    secrets: () => ({ authorization: 'Bearer otlp' }),
    accept(received) {
      expectRequest(received, { method: 'POST', target: '/v1/logs', type: JSON_TYPE, authorization: 'Bearer otlp' });
      const { resourceLogs } = jsonOf(received) as unknown as { resourceLogs: readonly OtlpResourceLogs[] };
      const [record] = resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
      expect(record?.timeUnixNano).toMatch(/^\d{19}$/);
      expect(record?.observedTimeUnixNano).toBe('1772366400123000000');
      expect(record?.severityNumber).toBe(17);
      for (const { key, value } of record?.attributes ?? [])
        expect([key, typeof value.stringValue]).toEqual([key, 'string']);
      return answer(200, { partialSuccess: {} });
    },
    answers: [
      [answer(200, { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'too old' } }), 'permanent'],
      [answer(400), 'permanent'],
      [answer(401), 'temporary'],
      [answer(429), 'temporary'],
      [answer(500), 'permanent'],
      [answer(502), 'temporary'],
      [answer(503), 'temporary'],
      [answer(504), 'temporary'],
    ],
  },
};

function bulk(item: object): Answer {
  return answer(200, { errors: true, items: [{ create: item }] });
}

/** Names as attackers choose them, longer than any vendor accepts. */
const HOSTILE: Partial<Detection> = {
  hostname: `<!channel> [x](https://evil.example) \u202E${'h'.repeat(3_000)}`,
  procname: '<@U1>\r\n{"x":1}\u0007',
  message: `${'m'.repeat(40_000)}\uD800`,
  attack: Array.from({ length: 60 }, (_, at) => ({ tactic: 'TA0002', technique: `T${1_000 + at}`, name: 'x' })),
};

function openKind(type: string, settings: object, secrets: object): Output {
  return outputKind(type).open({ reach: outboundFetch(), outputId: 'out_1', settings, secrets });
}

describe.each(Object.entries(VENDORS))('%s', (type, { settings, secrets, accept, answers }) => {
  /** A receiver that rejects requests that violate its documentation; `said` overrides its next responses. */
  async function standing() {
    const state: { said: Answer | undefined; wrong: unknown } = { said: undefined, wrong: undefined };
    const receiver = await httpReceiver((received) => {
      if (state.said !== undefined) return state.said;
      try {
        return accept(received);
      } catch (error) {
        state.wrong = error;
        return { status: 400, body: 'not as documented' };
      }
    });
    const url = `http://127.0.0.1:${receiver.port}`;
    return { receiver, url, state, output: openKind(type, settings(url), secrets(url)) };
  }

  test('sends opened, grown and closed detections as the vendor documents, also with malicious names', async () => {
    const { output, state } = await standing();
    for (const over of [{}, HOSTILE])
      for (const cause of ['opened', 'grown', 'closed', 'test'] as const) {
        const failed = await failure(output.deliver([message(over, cause)], soon()));
        expect(state.wrong, `${cause}`).toBe(undefined);
        expect(failed, `${cause}`).toBe(undefined);
      }
  });

  test('a repeat by another process identifies the same message or detection', async () => {
    const { output, receiver, url } = await standing();
    const one = message();
    await output.deliver([one], soon());
    const first = receiver.taken.splice(0);
    await openKind(type, settings(url), secrets(url)).deliver([one], soon());
    expect(receiver.taken.map(({ target, body }) => ({ target, body }))).toEqual(
      first.map(({ target, body }) => ({ target, body })),
    );
    expect(first.some(({ target, body }) => `${target} ${body}`.includes(one.detection.id))).toBe(true);
  });

  test.each(answers)('%j', async (said, kind) => {
    const { output, state } = await standing();
    state.said = { ...said, headers: { 'retry-after': '7' } };
    const failed = await failure(output.deliver([message()], soon()));
    expect(failed?.kind).toBe(kind);
    expect(failed?.message).not.toMatch(/xoxb|secret|og-key|B5A79AAD|r{32}/);
    if (said.status === 429 || said.status === 503) expect(failed?.retryAfterMs).toBe(7_000);
    state.said = undefined;
    expect(await failure(output.deliver([message()], soon()))).toBe(undefined);
  });

  test('a forbidden address names the setting that permits it', async () => {
    const closed = outputKind(type).open({
      reach: outboundFetch([]),
      outputId: 'out_1',
      settings: settings('http://127.0.0.1:9'),
      secrets: secrets('http://127.0.0.1:9'),
    });
    expect((await failure(closed.deliver([message()], soon())))?.message).toContain('OUTBOUND_ALLOW');
  });
});

test('finds the failing item of a bulk request; an existing document counts as delivered', async () => {
  const statuses = [201, 409, 400, 201];
  const items = statuses.map((status) => ({
    create: { status, error: { type: 'mapper_parsing_exception', reason: 'no' } },
  }));
  const receiver = await httpReceiver(() => answer(200, { errors: true, items }));
  const output = openKind('elasticsearch', { url: receiver.url }, { authorization: 'ApiKey abc' });
  const batch = statuses.map(() => message());
  expect(await failure(output.deliver(batch, soon()))).toMatchObject({ kind: 'permanent', delivered: 2 });
});

test('an index keeps the newest revision of a detection', async () => {
  const receiver = await httpReceiver(() => answer(200, { errors: false, items: [{ index: { status: 409 } }] }));
  const settings = { url: receiver.url, target: 'detections', mode: 'index' };
  const output = openKind('elasticsearch', settings, { authorization: 'ApiKey abc' });
  const one: OutputMessage = { ...message(), seq: 17 };
  await output.deliver([one], soon());
  const [action] = receiver.taken[0]?.body.split('\n') ?? [];
  expect(JSON.parse(action ?? '')).toEqual({
    index: { _id: one.detection.id, version: 17, version_type: 'external_gte' },
  });
});

test('finds the first invalid event of a batch for Splunk', async () => {
  const body = { text: 'Invalid data format', code: 6, 'invalid-event-number': 2 };
  const receiver = await httpReceiver(() => answer(400, body));
  const output = openKind('splunk-hec', { url: receiver.url }, { token: 'x' });
  expect(await failure(output.deliver([message(), message(), message()], soon()))).toMatchObject({
    kind: 'permanent',
    delivered: 2,
  });
});

test('polls Splunk for an acknowledgement without sending the events again', async () => {
  let stored = false;
  const receiver = await httpReceiver(({ target, headers }) => {
    expect(headers['x-splunk-request-channel']).toMatch(/^[0-9a-f-]{36}$/);
    if (target === '/services/collector/event') return answer(200, { text: 'Success', code: 0, ackId: 7 });
    expect(target).toBe(`/services/collector/ack?channel=${headers['x-splunk-request-channel']}`);
    return answer(200, { acks: { 7: stored } });
  });
  const output = openKind('splunk-hec', { url: receiver.url.replace('/hook', ''), acknowledge: true }, { token: 'x' });
  const one = message();
  const given = new AbortController();
  const asked = receiver.taken;
  const first = failure(output.deliver([one], given.signal));
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  given.abort();
  expect(await first).toMatchObject({ kind: 'temporary' });
  stored = true;
  expect(await output.deliver([one], soon())).toEqual({ answer: 'HTTP 200: 1 acknowledged' });
  expect(asked.filter(({ target }) => target === '/services/collector/event')).toHaveLength(1);
});

test('comments on an existing issue or record instead of creating it again', async () => {
  const receiver = await httpReceiver(({ method, target }) => {
    if (target.endsWith('/search/jql')) return answer(200, { issues: [{ key: 'SEC-1' }] });
    if (method === 'GET') return answer(200, { result: [{ sys_id: 'b'.repeat(32), number: 'INC1' }] });
    return answer(target.endsWith('/comment') ? 201 : 200, {});
  });
  const url = `http://127.0.0.1:${receiver.port}`;
  const jira = openKind('jira', { url, user: 'bot@example.org', project: 'SEC' }, { token: 'secret' });
  const servicenow = openKind('servicenow', { url, user: 'bot@example.org' }, { password: 'secret' });
  expect(await jira.deliver([message()], soon())).toEqual({ answer: 'SEC-1 exists' });
  expect(await jira.deliver([message({}, 'grown')], soon())).toEqual({ answer: 'commented on SEC-1' });
  expect(await servicenow.deliver([message()], soon())).toEqual({ answer: 'INC1 exists' });
  expect(await servicenow.deliver([message({}, 'closed')], soon())).toEqual({ answer: 'added a work note to INC1' });
  const changes = receiver.taken.filter(({ method, target }) => method !== 'GET' && !target.endsWith('/search/jql'));
  expect(changes.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'POST /rest/api/3/issue/SEC-1/comment',
    `PATCH /api/now/table/incident/${'b'.repeat(32)}`,
  ]);
});

test('comments on a created Jira issue before the search finds it, and searches again once it is gone', async () => {
  let isDeleted = false;
  const receiver = await httpReceiver(({ target }) => {
    if (target.endsWith('/search/jql')) return answer(200, { issues: [], isLast: true });
    if (target.endsWith('/comment')) return isDeleted ? answer(404) : answer(201, { id: '1' });
    return answer(201, { id: '10000', key: 'SEC-24' });
  });
  const jira = openKind('jira', { url: receiver.url, user: 'bot@example.org', project: 'SEC' }, { token: 'secret' });
  const opened = message();
  const grown: OutputMessage = { ...opened, cause: 'grown' };
  await jira.deliver([opened], soon());
  expect(await jira.deliver([grown], soon())).toEqual({ answer: 'commented on SEC-24' });
  isDeleted = true;
  expect(await failure(jira.deliver([grown], soon()))).toMatchObject({ kind: 'temporary' });
  await jira.deliver([grown], soon());
  const issues = receiver.taken.filter(({ target }) => target.endsWith('/issue'));
  expect(issues).toHaveLength(2);
});

test('PagerDuty resolves the incident of a closed detection', async () => {
  const receiver = await httpReceiver(() => answer(202, {}));
  const output = openKind('pagerduty', { url: receiver.url }, { routingKey: 'r' });
  const one = message({}, 'closed');
  await output.deliver([one], soon());
  expect(JSON.parse(receiver.taken[0]?.body ?? '')).toEqual({
    routing_key: 'r',
    event_action: 'resolve',
    dedup_key: one.detection.id,
  });
});

interface SlackMessage {
  readonly channel: string;
  readonly text: string;
  readonly blocks: readonly {
    type: string;
    text?: { type: string; text: string };
    fields?: readonly { type: string }[];
  }[];
  readonly metadata: object;
}
interface TeamsCard {
  readonly content: { readonly body: readonly { readonly type: string }[] };
}
interface PagerDutyEvent {
  readonly routing_key: string;
  readonly event_action: string;
  readonly dedup_key: string;
  readonly payload?: { readonly summary: string; readonly severity: string; readonly source: string };
}
interface OpsgenieAlert {
  readonly message: string;
  readonly alias: string;
  readonly description: string;
  readonly entity: string;
  readonly priority: string;
}
interface JiraFields {
  readonly summary: string;
  readonly labels: readonly string[];
}
interface LokiStream {
  readonly stream: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [string, string, Readonly<Record<string, string>>])[];
}
interface OtlpResourceLogs {
  readonly scopeLogs: readonly {
    readonly logRecords: readonly {
      readonly timeUnixNano: string;
      readonly observedTimeUnixNano: string;
      readonly severityNumber: number;
      readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: unknown } }[];
    }[];
  }[];
}

test('the prefix of objects cannot leave the bucket', () => {
  const { settings } = outputKind('s3-parquet');
  const accepts = (prefix: string) =>
    settings.safeParse({ bucket: 'own', region: 'eu-central-1', accessKeyId: 'a', prefix }).success;
  expect(['a/b.c/', '..a/', '../other/', 'a/..', './a'].map(accepts)).toEqual([true, true, false, false, false]);
});

test('two outputs with one bucket and prefix write objects of different names, and a repeat replaces its own', async () => {
  const receiver = await httpReceiver();
  const endpoint = receiver.url.replace('/hook', '');
  const open = (outputId: string) =>
    outputKind('s3-parquet').open({
      reach: { ...outboundFetch(), parquet: async (rows) => Buffer.from(`${rows.length} rows`) },
      outputId,
      settings: { bucket: 'own', region: 'eu-central-1', accessKeyId: 'a', endpoint },
      secrets: { secretAccessKey: 's' },
    });
  const one = message();
  for (const id of ['out_1', 'out_2', 'out_2']) await open(id).deliver([one], soon());
  const names = receiver.taken.map(({ target }) => target);
  expect(names[0]).toContain('-out_1.parquet');
  expect(names[1]).toBe(names[0]?.replace('out_1', 'out_2'));
  expect(names[2]).toBe(names[1]);
});
