import { describe, expect, it } from 'vitest';
import { bareExpression, parseTemplate } from '#api/executions/expressions/parse-template.ts';

describe('parseTemplate', () => {
  it.each(['plain', '$x', '{ }', '${ never closed', '${ ( } )', '${ "open }', '$ { .a }'])(
    'parses %s as a literal',
    (source) => expect(parseTemplate(source)).toEqual({ kind: 'literal' }),
  );

  it.each([
    ['${ .a }', '.a'],
    ['  ${.a}\n', '.a'],
    ['${ {a: {b: 1}} }', '{a: {b: 1}}'],
    ['${ "}" }', '"}"'],
    ['${ "\\"}" }', '"\\"}"'],
    ['${ "a \\("}" + "\\({b: 1})") }" }', '"a \\("}" + "\\({b: 1})") }"'],
    ['${ .a # } no\n }', '.a # } no'],
  ])('parses %s as one expression', (source, expression) => {
    expect(parseTemplate(source)).toEqual({ kind: 'expression', expression });
    expect(bareExpression(source)).toBe(expression);
  });

  it('finds expressions in a text', () => {
    expect(parseTemplate('Hello ${ .name }, ${ "}" }!')).toEqual({
      kind: 'text',
      parts: [{ text: 'Hello ' }, { expression: '.name' }, { text: ', ' }, { expression: '"}"' }, { text: '!' }],
    });
    expect(parseTemplate('${ .a } ${ .b }')).toEqual({
      kind: 'text',
      parts: [{ expression: '.a' }, { text: ' ' }, { expression: '.b' }],
    });
  });

  /**
   * Regression: each opening was scanned to the end of the text. 60 kB blocked the service for a minute; this text
   * would take a quarter of an hour.
   */
  it('parses a text of 256 KiB with unclosed braces', () => {
    for (const open of ['${]', '${\\"', '${#', '${ "'])
      expect(parseTemplate(open.repeat(2 ** 18 / open.length))).toMatchObject({ kind: expect.any(String) });
  });

  it('finds expressions after a few unclosed braces', () => {
    const unclosed = '${] '.repeat(20);
    expect(parseTemplate(`${unclosed}\${ .a }`)).toEqual({
      kind: 'text',
      parts: [{ text: unclosed }, { expression: '.a' }],
    });
    expect(parseTemplate(`${'${] '.repeat(1_000)}\${ .a }`)).toEqual({ kind: 'literal' });
  });

  it('keeps an expression without braces', () => {
    expect(bareExpression(' .a | {b: .} ')).toBe('.a | {b: .}');
  });
});
