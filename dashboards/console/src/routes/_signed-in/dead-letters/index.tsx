import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type Answer, call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { DownloadLinks } from '../../../pages/dead-letters/download-links.tsx';
import { letterFilter } from '../../../pages/dead-letters/letter-filter.ts';
import { LetterFilters } from '../../../pages/dead-letters/letter-filters.tsx';
import { LetterStateBadge } from '../../../pages/dead-letters/letter-state-badge.tsx';
import { CODES, type LettersSearch, STATES } from '../../../pages/dead-letters/letters-search.ts';
import { Redrive } from '../../../pages/dead-letters/redrive.tsx';
import { DEAD_LETTERS_TEXT } from '../../../pages/dead-letters/text.ts';
import type { Selection } from '../../../pages/dead-letters/use-redrive.ts';
import { defined } from '../../../parts/defined.ts';
import { type Column, RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { rejectionText } from '../../../parts/rejection-text.ts';
import { choiceParam, onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { RANGE_NAMES, timeParam } from '../../../parts/time/time-range.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../../parts/values/value-columns.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/dead-letters/')({
  staticData: {
    section: { group: 'Detection', order: 4, label: APP_TEXT.sections.deadLetters, role: 'analyst', keys: 'g l' },
  },
  validateSearch: onlyRead(
    (search: Record<string, unknown>): LettersSearch =>
      defined({
        q: textParam(search.q),
        code: choiceParam(search.code, CODES),
        topic: textParam(search.topic),
        status: choiceParam(search.status, STATES),
        range: choiceParam(search.range, RANGE_NAMES),
        from: timeParam(search.from),
        to: timeParam(search.to),
      }),
  ),
  component: DeadLettersPage,
});

type Letter = Answer<'get', '/api/dead-letters'>['data'][number];

const { actions: ACTIONS, columns: HEADERS, keys: KEYS } = DEAD_LETTERS_TEXT;
const LETTER_STATES = STATES.filter((state) => state !== 'any');
const MAX_SELECTED = 1_000;
/** Small, because each dead letter contains its whole payload. */
const PAGE_SIZE = 50;

function DeadLettersPage() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [redriving, setRedriving] = useState<Selection>();
  const active = useRef<Letter>(undefined);
  const query = useInfiniteQuery(
    cursorList<Letter>(['dead-letters', search], (cursor, signal) =>
      call('get', '/api/dead-letters', {
        signal,
        query: defined({ ...letterFilter(search, Date.now()), limit: PAGE_SIZE, cursor }),
      }),
    ),
  );
  const first = query.data?.pages[0]?.data[0];

  function toggle({ id }: Letter) {
    const next = new Set(selected);
    if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id);
    setSelected(next);
  }
  function redriveSelected() {
    if (selected.size > 0) setRedriving({ ids: [...selected] });
  }
  function redriveMatching() {
    // Without the status filter, because the API never retries accepted dead letters.
    const { status: _, ...filter } = letterFilter(search, Date.now());
    setRedriving({ filter });
  }
  useShortcuts([
    {
      keys: 'x',
      does: KEYS.select,
      run: () => {
        const letter = active.current ?? first;
        if (letter !== undefined) toggle(letter);
      },
    },
    { keys: 'r', does: KEYS.retrySelected, run: redriveSelected },
  ]);

  return (
    <Page title={DEAD_LETTERS_TEXT.title} actions={<DownloadLinks search={search} />}>
      <LetterFilters
        search={search}
        onChange={(wanted) => {
          setSelected(new Set());
          active.current = undefined;
          void navigate({ to: '/dead-letters', search: defined(wanted), replace: true });
        }}
      />
      <Group gap="sm" mb="sm">
        <Button size="compact" variant="default" disabled={selected.size === 0} onClick={redriveSelected}>
          {ACTIONS.retrySelected(selected.size)}
        </Button>
        <Button
          size="compact"
          variant="default"
          disabled={first === undefined || search.status === 'redriven'}
          onClick={redriveMatching}
        >
          {ACTIONS.retryAll}
        </Button>
        {selected.size > 0 && (
          <Button size="compact" variant="subtle" onClick={() => setSelected(new Set())}>
            {ACTIONS.clearSelection}
          </Button>
        )}
      </Group>
      <RecordList
        label={DEAD_LETTERS_TEXT.list}
        columns={columnsFor(selected, toggle)}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/dead-letters/$id', params: { id } })}
        onActive={(letter) => {
          active.current = letter;
        }}
        empty={Object.keys(search).length === 0 ? DEAD_LETTERS_TEXT.empty : DEAD_LETTERS_TEXT.noMatch}
      />
      <Redrive
        selection={redriving}
        description={
          redriving?.ids === undefined
            ? DEAD_LETTERS_TEXT.retry.allMatching
            : DEAD_LETTERS_TEXT.retry.selected(redriving.ids.length)
        }
        onClose={() => setRedriving(undefined)}
        onStarted={() => setSelected(new Set())}
      />
    </Page>
  );
}

function columnsFor(selected: ReadonlySet<string>, toggle: (letter: Letter) => void): readonly Column<Letter>[] {
  return valueColumns<Letter>({ list: '/dead-letters', titleOf: ({ code }) => rejectionText(code) }, [
    {
      id: 'select',
      header: <span className="tl-screen-reader">{HEADERS.select}</span>,
      width: '1.75rem',
      cell: (letter) => (
        <Checkbox
          size="xs"
          tabIndex={-1}
          aria-label={HEADERS.selectRow(letter.id)}
          checked={selected.has(letter.id)}
          onChange={() => toggle(letter)}
          onClick={(event) => event.stopPropagation()}
        />
      ),
    },
    {
      id: 'received',
      header: HEADERS.received,
      width: '7rem',
      valuesOf: ({ received }) => timeValue('received', received, { by: 'range' }),
      cell: ({ received }) => <TimeText at={received} ago />,
    },
    {
      id: 'code',
      header: HEADERS.reason,
      width: 'minmax(6rem, 1fr)',
      valuesOf: ({ code }) => ({ name: 'code', value: code, shown: rejectionText(code), by: 'term' }),
    },
    {
      id: 'path',
      header: HEADERS.field,
      width: 'minmax(5rem, 12rem)',
      wideOnly: true,
      valuesOf: ({ path }) => ({ name: 'path', value: path, by: 'term' }),
      cell: ({ path }) => <span className="tl-mono">{path}</span>,
    },
    {
      id: 'raw',
      header: HEADERS.payload,
      wideOnly: true,
      width: 'minmax(5rem, 2fr)',
      cell: ({ raw, rawEncoding }) => (
        <Text component="span" size="sm" className="tl-mono">
          {rawEncoding === 'utf8' ? visible(raw.slice(0, 200)) : DEAD_LETTERS_TEXT.binary}
        </Text>
      ),
    },
    {
      id: 'state',
      header: HEADERS.state,
      width: '8.5rem',
      wideOnly: true,
      valuesOf: ({ redriven }) => {
        const state = redriven === null ? 'open' : 'redriven';
        return {
          name: 'status',
          value: state,
          shown: DEAD_LETTERS_TEXT.filters.states[state],
          by: 'choice',
          among: LETTER_STATES,
        };
      },
      cell: ({ redriven }) => <LetterStateBadge redriven={redriven} />,
    },
  ]);
}
