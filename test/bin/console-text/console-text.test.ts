import { describe, expect, test } from 'vitest';
import { checkTexts } from '../../../bin/console-text/check-texts.ts';
import { unlocalisedFormats } from '../../../bin/console-text/unlocalised-formats.ts';
import { visibleLiterals } from '../../../bin/console-text/visible-literals.ts';

const literalsOf = (source: string) => visibleLiterals('a.tsx', source).map(({ text }) => text);

describe('visible literals', () => {
  test('text between tags, with the line of its first word', () => {
    expect(visibleLiterals('a.tsx', 'const a = (\n  <p>\n    Some\n    words <b>more</b> 12 % –\n  </p>\n);')).toEqual([
      { line: 3, text: 'Some words' },
      { line: 4, text: 'more' },
    ]);
  });

  test('literals in children: both branches of a condition, templates, joined strings, arrays', () => {
    expect(
      literalsOf(
        "<p>{a === 'no text' ? 'Yes' : 'No'}{b && 'And'}{c ?? 'None'}{`${n} rows`}{'a ' + ('b')}{['One', <b>Two</b>]}</p>",
      ),
    ).toEqual(['Yes', 'No', 'And', 'None', '… rows', 'a', 'b', 'One', 'Two']);
  });

  test('literals in attributes that are shown, and in elements within other attributes', () => {
    expect(
      literalsOf(
        '<A label="Name" title={t ? `Page ${n}` : undefined} aria-label={\'Close\'} facts={[["Host", h]]} className="c" size={"sm"} actions={<B>Go</B>} />',
      ),
    ).toEqual(['Name', 'Page …', 'Close', 'Host', 'Go']);
  });

  test('literals in properties that are shown, and in messages', () => {
    expect(
      literalsOf(
        "const columns = [{ id: 'a', header: 'Host', width: '1fr' }, { header: TEXT.host, does: `Open ${name}` }]; showDone('Saved');",
      ),
    ).toEqual(['Host', 'Open …', 'Saved']);
    expect(literalsOf("<HeadRow columns={['Name', { label: 'Size', w: '6rem' }]} />")).toEqual(['Name', 'Size']);
  });

  test('names from a catalogue, keys and values are not literals', () => {
    expect(
      literalsOf("<A label={TEXT.name} key=\"a\" to='/b'>{TEXT.of('value')} · {count.toLocaleString()} {'–'}</A>"),
    ).toEqual([]);
  });

  test('source that cannot be parsed is an error', () => {
    expect(() => visibleLiterals('a.tsx', '<p>')).toThrow('a.tsx cannot be parsed');
  });
});

test('reports a literal in any component with its position', () => {
  const found = [
    { file: 'pages/a/list.tsx', literals: [{ line: 1, text: 'Host' }] },
    { file: 'pages/b/list.tsx', literals: [] },
  ];
  expect(checkTexts(found)).toEqual([
    'pages/a/list.tsx:1: “Host” is a literal in a component: move it to the text.ts of the section',
  ]);
});

test.each([
  ['const a = count.toLocaleString();', true],
  ['const a = new Intl.NumberFormat(undefined, {});', true],
  ["const a = new Intl.NumberFormat('en');", true],
  ['const a = new Intl.DateTimeFormat();', true],
  ['const a = new Intl.DateTimeFormat(locale(), {});', false],
  ['const a = count.toLocaleString(current);', false],
  ['const a = Intl.DateTimeFormat().resolvedOptions().timeZone;', false],
  ['const a = day.toLowerCase();', false],
])('%s is formatted without the locale of the console: %s', (line, problem) => {
  expect(unlocalisedFormats('a.ts', `\n${line}`)).toHaveLength(problem ? 1 : 0);
});
