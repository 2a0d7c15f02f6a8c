import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { judge } from '#api/agents/evaluation/judge.ts';
import { connectMcp } from '#api/agents/mcp/connect.ts';
import { ToolFailure } from '#api/agents/run/tool.ts';
import { createTrace } from '#api/agents/run/trace.ts';
import { traceModelCalls } from '#api/agents/run/trace-model-calls.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { ALWAYS, startTracing } from '#test/support/start-tracing.ts';

const ANSWER = {
  id: 'chat-1',
  model: 'small-2',
  choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'a confidential answer' } }],
  usage: { prompt_tokens: 12, completion_tokens: 5 },
};

/** A server that responds like a model endpoint and records the request headers. */
async function receiver() {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume().on('end', () => {
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(ANSWER));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { headers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('requests of a trace propagate it, and their spans contain no path', async () => {
  const { tracing, received } = await startTracing(ALWAYS);
  const { headers, url } = await receiver();
  const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'], tracing });
  onTestFinished(() => fetch.close());
  const root = tracing.start('root');
  const trace = root.context;
  await fetch({ url: `${url}/secret-path`, method: 'POST', body: '{}', trace });
  await fetch({ url: `${url}/missing`, trace, headers: { Traceparent: 'their own' } });
  await fetch({ url });
  root.end();
  const { spans } = await received();
  const [posted, missing] = spans;
  expect(spans.map(({ name }) => name)).toEqual(['POST', 'GET', 'root']);
  expect(posted).toMatchObject({ kind: 'client', traceId: trace?.traceId, parentId: trace?.spanId, failed: false });
  expect(posted?.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('secret-path');
  expect(missing).toMatchObject({ failed: true, attributes: { 'error.type': '404' } });
  expect(headers.map(({ traceparent }) => traceparent)).toEqual([
    `00-${posted?.traceId}-${posted?.spanId}-01`,
    'their own',
    undefined,
  ]);
});

test('calls of a model have the figures of the response, and texts without secrets only if enabled', async () => {
  const { tracing, received } = await startTracing(ALWAYS);
  const { headers, url } = await receiver();
  const { redact } = createTrace(['question-key', 'question-key-2', 'answer']);
  const root = tracing.start('invoke_agent');
  const init = {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: 'a confidential question-key-2' }] }),
  };
  for (const recordPrompts of [false, true]) {
    const call = traceModelCalls(fetch, { tracing, recordPrompts }, { parent: root.context, model: 'small', redact });
    expect(await (await call(`${url}/v1/chat/completions`, init)).json()).toEqual(ANSWER);
  }
  root.end();
  const { spans } = await received();
  const [silent, open] = spans;
  expect(silent).toMatchObject({ name: 'chat small', kind: 'client', parentId: root.context?.spanId });
  expect(silent?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'small',
    'gen_ai.response.model': 'small-2',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 5,
  });
  expect(JSON.stringify(silent?.attributes)).not.toContain('confidential');
  expect(open?.attributes['gen_ai.input.messages']).toContain('a confidential [redacted]"');
  expect(open?.attributes['gen_ai.output.messages']).toContain('a confidential [redacted]');
  expect(headers[0]?.traceparent).toBe(`00-${silent?.traceId}-${silent?.spanId}-01`);
});

test('judges and MCP servers belong to the trace of their run', async () => {
  const { tracing, received } = await startTracing(ALWAYS);
  const { headers, url } = await receiver();
  const outbound = createOutboundFetch({ allow: ['127.0.0.0/8'], tracing });
  onTestFinished(() => outbound.close());
  const root = tracing.start('invoke_agent');
  const span = root.context;
  const none: ReadonlyMap<string, string> = new Map();
  await judge(
    { type: 'judge', rubric: 'It is polite.', model: { name: 'small', baseUrl: `${url}/v1` } },
    { input: {}, output: 'Hello', expected: null, cost: {}, tools: [] },
    {
      outbound,
      model: undefined,
      secrets: none,
      redact: (text) => text,
      modelTracing: { tracing, recordPrompts: false },
      span,
      signal: new AbortController().signal,
    },
  );
  await expect(connectMcp({ url: `${url}/missing` }, { outbound, secrets: none, span })).rejects.toThrow(ToolFailure);
  root.end();
  const { spans } = await received();
  expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(['chat small', 'POST', 'invoke_agent']));
  for (const { traceparent } of headers) expect(traceparent).toContain(span?.traceId);
});
