import { ActionIcon, Code, Popover, Table, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { HeadRow } from './head-row.tsx';
import { useShortcuts } from './shortcuts.ts';
import { useDraft } from './use-draft.ts';

const EXAMPLES: readonly (readonly [write: string, finds: string])[] = [
  ['nginx', 'the word anywhere in it'],
  ['"stack smashing"', 'the same with spaces'],
  ['hostname:web-1', 'exactly this value'],
  ['hostname:web-*', '* any text, ? one character'],
  ['ip:0x400000..0x4fffff', 'a range, both ends within'],
  ['time>=2026-03-01', 'a day, or an RFC 3339 time'],
  ['procname!=sshd', 'other values, and none at all'],
  ['file:null', 'none at all'],
  ['a b, a or b, not a, (a or b) c', 'both, either, what a does not find'],
];

/** A search in the language of the API's `q`, taken when Enter is pressed or the field is left. `/` leads to it. */
export function SearchInput({
  value,
  onSearch,
  fields,
  example = 'procname:nginx not hostname:web-*',
}: {
  readonly value: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
  /** What can be asked for by name, for the help. */
  readonly fields: readonly string[];
  readonly example?: string;
}) {
  const draft = useDraft(value ?? '', (text) => onSearch(text === '' ? undefined : text));
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Search', run: () => input.current?.focus() }]);

  return (
    <TextInput
      ref={input}
      type="search"
      label="Search"
      size="xs"
      flex="1 1 13rem"
      maxLength={1_000}
      spellCheck={false}
      autoComplete="off"
      placeholder={example}
      {...draft}
      rightSection={<SearchHelp fields={fields} />}
    />
  );
}

function SearchHelp({ fields }: { readonly fields: readonly string[] }) {
  return (
    <Popover width="min(30rem, 92vw)" position="bottom-end" withArrow trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <ActionIcon variant="subtle" size="sm" color="gray" c="dimmed" aria-label="How to search">
          ?
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="How to search" tabIndex={-1}>
        <Table verticalSpacing={2} fz="xs">
          <HeadRow columns={['Write', 'Finds']} />
          <Table.Tbody>
            {EXAMPLES.map(([write, finds]) => (
              <Table.Tr key={write}>
                <Table.Td>
                  <Code>{write}</Code>
                </Table.Td>
                <Table.Td>{finds}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" mt="xs">
          Fields: {fields.join(', ')}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
