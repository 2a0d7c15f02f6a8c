import { Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { APP_TEXT } from '../../../app/text.ts';
import { useProfile } from '../../../app/use-profile.ts';
import type { DecisionChange } from '../../../pages/detection/decide.ts';
import type { Detection } from '../../../pages/detection/detection-types.ts';
import { ArrivalsNotice } from '../../../pages/detections/arrivals-notice.tsx';
import { BulkBar } from '../../../pages/detections/bulk-bar.tsx';
import { CloseDialog } from '../../../pages/detections/close-dialog.tsx';
import { detectionColumns, titleOf } from '../../../pages/detections/detection-columns.tsx';
import { DetectionFilterBar } from '../../../pages/detections/detection-filters.tsx';
import { DetectionHistogram } from '../../../pages/detections/detection-histogram.tsx';
import { type DetectionFilters, mayBelong, readDetectionFilters } from '../../../pages/detections/filters.ts';
import { KeyHints } from '../../../pages/detections/key-hints.tsx';
import { SavedFiltersBar } from '../../../pages/detections/saved-filters-bar.tsx';
import { DETECTIONS_TEXT } from '../../../pages/detections/text.ts';
import { useArrivals } from '../../../pages/detections/use-arrivals.ts';
import { useDetectionList } from '../../../pages/detections/use-detection-list.ts';
import { useTriage } from '../../../pages/detections/use-triage.ts';
import { AddToCase } from '../../../pages/hand-off/add-to-case.tsx';
import { defined } from '../../../parts/defined.ts';
import { DownloadMenu } from '../../../parts/download-menu.tsx';
import { useKept } from '../../../parts/kept-state.ts';
import { Page } from '../../../parts/page.tsx';
import { RecordList } from '../../../parts/record-list.tsx';
import { onlyRead } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';

export const Route = createFileRoute('/_signed-in/detections/')({
  staticData: {
    section: { group: 'Detection', order: 1, label: APP_TEXT.sections.detections, role: 'analyst', keys: 'g d' },
  },
  validateSearch: onlyRead(readDetectionFilters),
  component: DetectionsPage,
});

const NONE: ReadonlySet<string> = new Set();
const NONE_SELECTED: ReadonlyMap<string, Detection> = new Map();
const MAX_SELECTED = 1_000;
const KEYS = DETECTIONS_TEXT.keys;

/** Long: the markup of the page, and its shortcuts. */
function DetectionsPage() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const { username } = useProfile();
  const { list, rows, asked, openedAt, replace, reload } = useDetectionList(filters);
  const triage = useTriage({ replace, reload });
  const [fresh, setFresh] = useState(NONE);
  /** The rows as they were when they were selected. */
  const [selected, setSelected] = useKept('selected detections', () => NONE_SELECTED);
  const [activeId, setActiveId] = useState<string>();
  const [closing, setClosing] = useState<Detection | 'selected'>();
  const [busy, setBusy] = useState(false);
  const active = rows.find(({ id }) => id === activeId) ?? rows[0];

  const connection = useArrivals(filters, {
    onDetection(detection) {
      if (replace(detection) || !mayBelong(detection, filters)) return;
      setFresh((before) => new Set([...before, detection.id]));
    },
    onMissed: () => void reload(),
  });

  function filter(change: Partial<DetectionFilters>) {
    setFresh(NONE);
    setSelected(NONE_SELECTED);
    void navigate({ search: defined(change) });
  }

  function toggle(detection: Detection) {
    const now = new Map(selected);
    if (!now.delete(detection.id) && now.size < MAX_SELECTED) now.set(detection.id, detection);
    setSelected(now);
  }

  async function changeSelected(change: DecisionChange) {
    setBusy(true);
    // A row may have been updated since it was selected.
    const shown = new Map(rows.map((row) => [row.id, row]));
    const left = await triage.changeMany(
      [...selected].map(([id, then]) => shown.get(id) ?? then),
      change,
    );
    setSelected(new Map([...selected].filter(([id]) => left.includes(id))));
    setBusy(false);
  }

  function show() {
    setFresh(NONE);
    void reload();
  }

  const open = ({ id }: Detection) => void navigate({ to: '/detections/$id', params: { id } });
  const onActive = (run: (detection: Detection) => unknown) => () => {
    if (active !== undefined) run(active);
  };
  /** Shortcuts act on the selected rows, or without a selection on the current row. */
  const onSelected = (all: () => unknown, one: (detection: Detection) => unknown) => () => {
    if (selected.size === 0) onActive(one)();
    else if (!busy) all();
  };
  const focusList = () => document.querySelector<HTMLElement>('.tl-grid-body > [tabindex="0"]')?.focus();
  useShortcuts([
    { keys: 'j', does: KEYS.next, run: focusList },
    { keys: 'k', does: KEYS.previous, run: focusList },
    { keys: 'Enter', does: KEYS.open, run: onActive(open) },
    {
      keys: 'a',
      does: KEYS.acknowledge,
      run: onSelected(() => void changeSelected({ status: 'acknowledged' }), triage.acknowledge),
    },
    {
      keys: 'c',
      does: KEYS.close,
      run: onSelected(() => setClosing('selected'), setClosing),
    },
    {
      keys: 'm',
      does: KEYS.assignToMe,
      run: onSelected(() => void changeSelected({ assignee: username }), triage.assignToMe),
    },
    { keys: 'x', does: KEYS.select, run: onActive(toggle) },
  ]);

  return (
    <Page
      title={DETECTIONS_TEXT.title}
      actions={<DownloadMenu path="/api/detections" query={asked} name="detections" />}
    >
      <SavedFiltersBar current={filters} onChoose={filter} />
      <DetectionFilterBar filters={filters} onChange={(change) => filter({ ...filters, ...change })} />
      <DetectionHistogram
        filters={filters}
        openedAt={openedAt}
        listFailed={list.isError}
        onRange={(from, to) => filter({ ...filters, range: undefined, from, to })}
      />
      <Group justify="space-between" mb={6} mih="2rem" gap="xs">
        {selected.size > 0 ? (
          <BulkBar
            count={selected.size}
            busy={busy}
            onAcknowledge={() => void changeSelected({ status: 'acknowledged' })}
            onClose={() => setClosing('selected')}
            onAssign={() => void changeSelected({ assignee: username })}
            onClear={() => setSelected(NONE_SELECTED)}
          >
            <AddToCase detections={[...selected.keys()]} disabled={busy} onAdded={() => setSelected(NONE_SELECTED)} />
          </BulkBar>
        ) : (
          <KeyHints />
        )}
        <ArrivalsNotice
          connection={connection}
          fresh={fresh.size}
          mayNotMatch={filters.q !== undefined}
          onShow={show}
        />
      </Group>
      <RecordList
        label={DETECTIONS_TEXT.list}
        query={list}
        rowId={({ id }) => id}
        columns={detectionColumns({ has: (id) => selected.has(id), toggle })}
        onOpen={open}
        onActive={(detection) => setActiveId(detection?.id)}
        height="max(18rem, calc(100dvh - 28.5rem))"
        empty={Object.keys(filters).length === 0 ? DETECTIONS_TEXT.empty : DETECTIONS_TEXT.noMatch}
      />
      <CloseDialog
        subject={
          closing === undefined
            ? undefined
            : closing === 'selected'
              ? DETECTIONS_TEXT.count(selected.size)
              : titleOf(closing)
        }
        onDecide={(change) =>
          closing === 'selected' || closing === undefined ? changeSelected(change) : triage.change(closing, change)
        }
        onClose={() => setClosing(undefined)}
      />
    </Page>
  );
}
