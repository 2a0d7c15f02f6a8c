import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type Answer, call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { DownloadLinks } from '../../../pages/dead-letters/download-links.tsx';
import { letterFilter } from '../../../pages/dead-letters/letter-filter.ts';
import { LetterFilters } from '../../../pages/dead-letters/letter-filters.tsx';
import { LetterStateBadge } from '../../../pages/dead-letters/letter-state-badge.tsx';
import { CODES, type LettersSearch, STATES } from '../../../pages/dead-letters/letters-search.ts';
import { Redrive } from '../../../pages/dead-letters/redrive.tsx';
import type { Selection } from '../../../pages/dead-letters/use-redrive.ts';
import { counted } from '../../../parts/counted.ts';
import { defined } from '../../../parts/defined.ts';
import { Page } from '../../../parts/page.tsx';
import { type Column, RecordList } from '../../../parts/record-list.tsx';
import { choiceParam, onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { RANGE_NAMES, timeParam } from '../../../parts/time-range.ts';
import { TimeText } from '../../../parts/time-text.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/dead-letters/')({
  staticData: { section: { group: 'Detection', order: 4, label: 'Dead letters', role: 'analyst', keys: 'g l' } },
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

/** Chosen one by one. */
const MOST = 1_000;
/** Each comes with all its bytes. */
const PAGE = 50;

function DeadLettersPage() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [redriving, setRedriving] = useState<Selection>();
  const active = useRef<Letter>(undefined);
  const query = useInfiniteQuery(
    cursorList<Letter>(['dead-letters', search], (cursor, signal) =>
      call('get', '/api/dead-letters', {
        signal,
        query: defined({ ...letterFilter(search, Date.now()), limit: PAGE, cursor }),
      }),
    ),
  );
  const first = query.data?.pages[0]?.data[0];

  function choose({ id }: Letter) {
    const next = new Set(chosen);
    if (!next.delete(id) && next.size < MOST) next.add(id);
    setChosen(next);
  }
  function redriveChosen() {
    if (chosen.size > 0) setRedriving({ ids: [...chosen] });
  }
  function redriveFound() {
    // Of what is through already nothing is sent again: the state is no part of the question.
    const { status: _, ...filter } = letterFilter(search, Date.now());
    setRedriving({ filter });
  }
  useShortcuts([
    {
      keys: 'x',
      does: 'Choose the dead letter, or leave it out',
      run: () => {
        const letter = active.current ?? first;
        if (letter !== undefined) choose(letter);
      },
    },
    { keys: 'r', does: 'Send the chosen ones through again', run: redriveChosen },
  ]);

  return (
    <Page title="Dead letters" actions={<DownloadLinks search={search} />}>
      <LetterFilters
        search={search}
        onChange={(wanted) => {
          setChosen(new Set());
          active.current = undefined;
          void navigate({ to: '/dead-letters', search: defined(wanted), replace: true });
        }}
      />
      <Group gap="sm" mb="sm">
        <Button size="compact-sm" variant="default" disabled={chosen.size === 0} onClick={redriveChosen}>
          {chosen.size === 0 ? 'Send the chosen through again' : `Send the ${chosen.size} chosen through again`}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={first === undefined || search.status === 'redriven'}
          onClick={redriveFound}
        >
          Send all that the filters find
        </Button>
        {chosen.size > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
            Choose none
          </Button>
        )}
      </Group>
      <RecordList
        label="Dead letters"
        columns={columnsFor(chosen, choose)}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/dead-letters/$id', params: { id } })}
        onActive={(letter) => {
          active.current = letter;
        }}
        empty={
          Object.keys(search).length === 0
            ? 'Nothing waits here: every record that was refused has been put through, or none was refused.'
            : 'No dead letter is like that. Take a filter away.'
        }
      />
      <Redrive
        selection={redriving}
        what={
          redriving?.ids === undefined
            ? 'All that the filters find and nobody has put through.'
            : `${counted(redriving.ids.length, 'dead letter')}.`
        }
        onClose={() => setRedriving(undefined)}
        onBegun={() => setChosen(new Set())}
      />
    </Page>
  );
}

function columnsFor(chosen: ReadonlySet<string>, choose: (letter: Letter) => void): readonly Column<Letter>[] {
  return [
    {
      id: 'chosen',
      header: <span className="tl-screen-reader">Chosen</span>,
      width: '1.75rem',
      cell: (letter) => (
        <Checkbox
          size="xs"
          tabIndex={-1}
          aria-label={`Choose ${letter.id}`}
          checked={chosen.has(letter.id)}
          onChange={() => choose(letter)}
          onClick={(event) => event.stopPropagation()}
        />
      ),
    },
    { id: 'received', header: 'Came', width: '8rem', cell: ({ received }) => <TimeText at={received} ago /> },
    { id: 'code', header: 'Reason', width: 'minmax(7rem, 1fr)', cell: ({ code }) => code },
    {
      id: 'path',
      header: 'Where',
      width: 'minmax(5rem, 12rem)',
      wideOnly: true,
      cell: ({ path }) => <span className="tl-mono">{path}</span>,
    },
    {
      id: 'raw',
      header: 'What came',
      wideOnly: true,
      width: 'minmax(5rem, 2fr)',
      cell: ({ raw, rawEncoding }) => (
        <Text component="span" size="sm" className="tl-mono">
          {rawEncoding === 'utf8' ? visible(raw.slice(0, 200)) : '(bytes)'}
        </Text>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: '8.5rem',
      wideOnly: true,
      cell: ({ redriven }) => <LetterStateBadge redriven={redriven} />,
    },
  ];
}
