import { expect, test } from 'vitest';
import { toolDescription } from '#api/mcp/mcp-server.ts';
import type { McpTool } from '#api/mcp/tool.ts';
import { answerSchema, toolAnswer } from '#api/mcp/tool-answer.ts';
import { checkedTool, MCP_TOOLS } from '#api/mcp/tool-registry.ts';
import { visibleText } from '#api/mcp/visible-text.ts';
import { INJECTION_NAMES } from './injection-names.ts';

const TOOLS = [...MCP_TOOLS];

/** A response of the API in which an attacker chose every text and every member name that can be chosen. */
function bodyOf(name: string) {
  const record = { id: name, hostname: name, procname: name, file: name, [name]: name, ip: 2n ** 64n - 1n };
  return {
    ...record,
    data: [record, record],
    evidence: [record],
    evidenceComplete: true,
    nextCursor: name,
    yamlContent: name,
    issues: [{ field: name, message: name, code: name, severity: 'error' }],
  };
}

/** The text around the marked data. */
function frameOf(tool: McpTool, name: string, status: number): string {
  const { structuredContent, content, isError } = toolAnswer(tool, { status, body: bodyOf(name) });
  const { untrusted, ...frame } = structuredContent;
  expect(content).toHaveLength(1);
  const text = content[0]?.text ?? '';
  expect(JSON.parse(text)).toEqual(structuredContent);
  expect(text).not.toMatch(/[<>\n\r]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const marked = JSON.stringify(untrusted).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  expect(text.endsWith(`${marked}}`)).toBe(true);
  return JSON.stringify([frame, isError, text.slice(0, -marked.length)]);
}

test('there are fifty names', () => {
  expect(new Set(INJECTION_NAMES).size).toBe(50);
});

test.each(TOOLS)('%s: the text around the data is the same for every name', (_name, tool) => {
  for (const status of [200, 404]) {
    const expected = frameOf(tool, 'nginx', status);
    for (const name of INJECTION_NAMES) expect(frameOf(tool, name, status)).toBe(expected);
  }
});

test('every tool is described, and its description says that the data is untrusted', () => {
  expect(TOOLS.length).toBeGreaterThanOrEqual(20);
  for (const [name, tool] of TOOLS) {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(toolDescription(tool)).toContain('`untrusted`');
    expect(toolDescription(tool)).toContain(`scope ${tool.scope}`);
  }
});

test('declares a form for every response', () => {
  const { structuredContent } = toolAnswer({}, { status: 200, body: null });
  expect(answerSchema.parse(structuredContent)).toEqual(structuredContent);
});

test.each([
  ['a\u202Eb', 'a\\u{202E}b'],
  ['a\nb\tc', 'a\\u{A}b\\u{9}c'],
  ['a\u{E0041}b', 'a\\u{E0041}b'],
  ['a\uD800b', 'a\\u{D800}b'],
  ['a\u00A0b c', 'a\\u{A0}b c'],
  ['\\u{41}', '\\u{5C}u{41}'],
  ['C:\\users é 漢字 😀', 'C:\\users é 漢字 😀'],
])('shows %j as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test('integers beyond 2^53 keep every digit', () => {
  const { structuredContent } = toolAnswer({}, { status: 200, body: { ip: 2n ** 64n - 1n, pid: 7 } });
  expect(structuredContent.untrusted).toEqual({ ip: '18446744073709551615', pid: 7 });
});

test('a file of tools/ without a tool is rejected at start', () => {
  expect(() => checkedTool('none.ts', undefined)).toThrow('must export `tool`');
});
