import { expect, test } from 'vitest';
import {
  formatTraceparent,
  parseTraceContext,
  readStoredTrace,
  storedTrace,
  traceHeaders,
} from '#schemas/tracing/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  ['a sampled context', `00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, sampled: true }],
  ['one that is not sampled', `00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, sampled: false }],
  ['other flags', `00-${TRACE}-${SPAN}-03`, { traceId: TRACE, spanId: SPAN, sampled: true }],
  ['a later version with more fields', `cc-${TRACE}-${SPAN}-01-what`, { traceId: TRACE, spanId: SPAN, sampled: true }],
  ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-what`, undefined],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`, undefined],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
  ['a short id', `00-${TRACE.slice(1)}-${SPAN}-01`, undefined],
  ['no header', undefined, undefined],
])('reads %s', (_name, text, context) => {
  expect(parseTraceContext(text)).toEqual(context);
});

test('passes tracestate on, and drops one that is too long or holds control characters', () => {
  const parent = `00-${TRACE}-${SPAN}-01`;
  const context = parseTraceContext(parent, 'vendor=1,other=2');
  expect(traceHeaders(context)).toEqual({ traceparent: parent, tracestate: 'vendor=1,other=2' });
  expect(parseTraceContext(parent, `a=${'x'.repeat(511)}`)?.state).toBeUndefined();
  expect(parseTraceContext(parent, 'a=1\nb=2')?.state).toBeUndefined();
  expect(traceHeaders(undefined)).toEqual({});
});

test('a stored text restores the context, and unrecorded contexts are not stored', () => {
  const context = { traceId: TRACE, spanId: SPAN, sampled: true };
  expect(readStoredTrace(storedTrace(context))).toEqual(context);
  const withState = { ...context, state: 'vendor=1' };
  expect(readStoredTrace(storedTrace(withState))).toEqual(withState);
  expect(storedTrace({ ...context, sampled: false })).toBeNull();
  expect([readStoredTrace(null), readStoredTrace(''), readStoredTrace('nothing')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(formatTraceparent(context)).toBe(`00-${TRACE}-${SPAN}-01`);
});
