import { Group, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { createFileRoute, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { APP_TEXT } from '../../../app/text.ts';
import { useProfile } from '../../../app/use-profile.ts';
import type { DecisionChange } from '../../../pages/detection/decide.ts';
import type { Detection } from '../../../pages/detection/detection-types.ts';
import { ArrivalsNotice } from '../../../pages/detections/arrivals-notice.tsx';
import { BulkBar } from '../../../pages/detections/bulk-bar.tsx';
import { detectionColumns, rowHeight, titleOf } from '../../../pages/detections/detection-columns.tsx';
import { DetectionFilterBar } from '../../../pages/detections/detection-filters.tsx';
import { DetectionHistogram } from '../../../pages/detections/detection-histogram.tsx';
import { type DetectionFilters, mayBelong } from '../../../pages/detections/filters.ts';
import { KeyHints } from '../../../pages/detections/key-hints.tsx';
import { rememberList } from '../../../pages/detections/last-list.ts';
import { type ListView, readDetectionSearch, sortedBy, splitSearch } from '../../../pages/detections/list-view.ts';
import { SavedFiltersBar } from '../../../pages/detections/saved-filters-bar.tsx';
import { DETECTIONS_TEXT } from '../../../pages/detections/text.ts';
import { useArrivals } from '../../../pages/detections/use-arrivals.ts';
import { useDetectionList, useOpenedAt } from '../../../pages/detections/use-detection-list.ts';
import { useListKeys } from '../../../pages/detections/use-list-keys.ts';
import { useSelection } from '../../../pages/detections/use-selection.ts';
import { useTriage } from '../../../pages/detections/use-triage.ts';
import { AddToCase } from '../../../pages/hand-off/add-to-case.tsx';
import { defined } from '../../../parts/defined.ts';
import { DownloadMenu } from '../../../parts/download-menu.tsx';
import { restOfWindow } from '../../../parts/list/list-height.ts';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { onlyRead } from '../../../parts/search-params.ts';
import { showFailure } from '../../../parts/show-failure.tsx';
import { isAllTime } from '../../../parts/time/time-range.ts';

export const Route = createFileRoute('/_signed-in/detections/')({
  staticData: {
    section: { group: 'Detection', order: 1, label: APP_TEXT.sections.detections, role: 'analyst', keys: 'g d' },
  },
  validateSearch: onlyRead(readDetectionSearch),
  component: DetectionsPage,
});

const NONE: ReadonlySet<string> = new Set();
// Loaded when first shown, because most visits only start with the list.
const CloseDialog = lazy(async () => ({
  default: (await import('../../../pages/detections/close-dialog.tsx')).CloseDialog,
}));
const ExceptionDialog = lazy(async () => ({
  default: (await import('../../../pages/detection/exception-dialog.tsx')).ExceptionDialog,
}));
const DetectionGroups = lazy(async () => ({
  default: (await import('../../../pages/detections/detection-groups.tsx')).DetectionGroups,
}));

const LIST_HEIGHT = restOfWindow(26, 18);

/** Long: the markup of the page. */
function DetectionsPage() {
  const { filters, view } = splitSearch(Route.useSearch());
  const navigate = Route.useNavigate();
  const wide = useMediaQuery('(min-width: 48em)', true);
  const openedAt = useOpenedAt();
  const shown = useDetectionList(filters, view, openedAt, { enabled: view.group === undefined });
  const { list, rows, asked, query, replace, reload } = shown;
  const [fresh, setFresh] = useState(NONE);
  const [activeId, setActiveId] = useState<string>();
  const work = useTriageOf(shown, rows.find(({ id }) => id === activeId) ?? rows[0]);
  const { selection, closing, excepting } = work;
  const remember = useRememberedList(filters, view, openedAt);

  const connection = useArrivals(filters, {
    onDetection(detection) {
      if (replace(detection) || !mayBelong(detection, filters)) return;
      setFresh((before) => new Set([...before, detection.id]));
    },
    onMissed: () => void reload(),
    onLive: () => void shown.refreshOutdated(),
  });

  function show(search: DetectionFilters & ListView) {
    setFresh(NONE);
    selection.clear();
    void navigate({ search: defined(search) });
  }
  const filter = (change: DetectionFilters) => show({ ...change, ...view });

  function showNew() {
    setFresh(NONE);
    void reload();
  }

  const open = ({ id }: Detection) => void navigate({ to: '/detections/$id', params: { id } });
  useListKeys(work.active, { ...work.keys, open });

  const selectedRows = rows.filter(({ id }) => selection.has(id)).length;
  const columns = detectionColumns(
    {
      ...selection,
      loaded: selectedRows === 0 ? 'none' : selectedRows === rows.length ? 'all' : 'some',
    },
    view,
    (sort) => show({ ...filters, ...sortedBy(view, sort) }),
  );
  const empty = Object.keys(filters).length === 0 ? DETECTIONS_TEXT.empty : DETECTIONS_TEXT.noMatch;

  return (
    <Page
      title={DETECTIONS_TEXT.title}
      actions={<DownloadMenu path="/api/detections" query={query} name="detections" />}
    >
      <SavedFiltersBar current={filters} onChoose={filter} />
      <DetectionFilterBar
        filters={filters}
        view={view}
        onChange={(change) => filter({ ...filters, ...change })}
        onView={(wanted) => show({ ...filters, ...wanted })}
      />
      <DetectionHistogram
        filters={filters}
        openedAt={openedAt}
        listFailed={list.isError}
        onRange={(from, to) => filter({ ...filters, range: undefined, from, to })}
      />
      <Group justify="space-between" mb={6} mih="2rem" gap="xs">
        {selection.count > 0 ? (
          <BulkBar
            count={selection.count}
            matching={selection.matching?.detections}
            isAll={selection.all !== undefined}
            progress={work.progress}
            onSelectAll={() => selection.matching && selection.selectAll(selection.matching)}
            onAcknowledge={work.keys.acknowledge}
            onClose={work.keys.close}
            onAssign={work.keys.assignToMe}
            onClear={selection.clear}
          >
            {selection.all === undefined && (
              <AddToCase
                detections={selection.current().map(({ id }) => id)}
                disabled={work.progress !== undefined}
                onAdded={selection.clear}
              />
            )}
          </BulkBar>
        ) : (
          <KeyHints />
        )}
        <ArrivalsNotice
          connection={connection}
          fresh={fresh.size}
          mayNotMatch={filters.q !== undefined || filters.campaign !== undefined}
          onShow={showNew}
        />
      </Group>
      {view.group === undefined ? (
        <RecordList
          label={DETECTIONS_TEXT.list}
          query={list}
          rowId={({ id }) => id}
          columns={columns}
          onOpen={open}
          onActive={(detection) => setActiveId(detection?.id)}
          severity={({ severity }) => severity}
          rowPx={rowHeight(wide)}
          ofAllTime={isAllTime(filters)}
          height={LIST_HEIGHT}
          empty={empty}
        />
      ) : (
        <Suspense fallback={<Loader size="sm" aria-label={DETECTIONS_TEXT.groups.loading} />}>
          <DetectionGroups
            by={view.group}
            {...{ filters, asked, openedAt, empty }}
            onShowList={show}
            onOpen={(detection, chosen) => {
              remember(chosen);
              open(detection);
            }}
          />
        </Suspense>
      )}
      <Suspense>
        {closing.subject !== undefined && (
          <CloseDialog subject={closing.subject} onDecide={closing.decide} onClose={closing.cancel} />
        )}
        {excepting.detection !== undefined && (
          <ExceptionDialog detection={excepting.detection} onClose={excepting.close} />
        )}
      </Suspense>
    </Page>
  );
}

/**
 * Stores the list, so that detections opened from here know their neighbours. Returns a function that stores the list
 * of a group instead.
 */
function useRememberedList(filters: DetectionFilters, view: ListView, openedAt: number) {
  // While the next page is loading, the location is already that of the next page.
  const entry = useRouterState({
    select: ({ location }) => (location.pathname === Route.to ? location.state.__TSR_key : undefined),
  });
  const list = JSON.stringify({ filters, view, openedAt, entry });
  useEffect(() => {
    if (entry !== undefined) rememberList(JSON.parse(list));
  }, [entry, list]);
  return (ofGroup: DetectionFilters) => rememberList({ filters: ofGroup, view: {}, openedAt, entry });
}

/**
 * Actions of the list's keys: on all matching detections, on the selected rows, or on the current row if there is no
 * selection.
 */
function useTriageOf(shown: ReturnType<typeof useDetectionList>, active: Detection | undefined) {
  const { username } = useProfile();
  const triage = useTriage(shown);
  const selection = useSelection(shown.asked, shown.rows);
  const [closing, setClosing] = useState<Detection | 'selected'>();
  const [excepting, setExcepting] = useState<Detection>();
  const [progress, setProgress] = useState<number>();

  async function changeSelected(change: DecisionChange) {
    setProgress(0);
    if (selection.all !== undefined) {
      const chosen = { filter: shown.asked, asOf: selection.all.asOf };
      if (await triage.changeAll(chosen, change, setProgress)) selection.clear();
    } else selection.keepOnly(await triage.changeMany(selection.current(), change));
    setProgress(undefined);
  }

  /** Runs one change at a time. Ignores keys during a change. */
  function change(wanted: DecisionChange): void {
    if (progress !== undefined) return;
    if (selection.count > 0) void changeSelected(wanted);
    else if (active !== undefined) void triage.change(active, wanted);
  }

  return {
    active,
    selection,
    progress,
    keys: {
      acknowledge: () => change({ status: 'acknowledged' }),
      assignToMe: () => change({ assignee: username }),
      close: () => setClosing(selection.count > 0 ? 'selected' : active),
      createException: setExcepting,
      toggle: selection.toggle,
      selectMatching: () => void selection.selectMatching().catch(showFailure),
    },
    closing: {
      subject:
        closing === undefined
          ? undefined
          : closing === 'selected'
            ? DETECTIONS_TEXT.count(selection.count)
            : titleOf(closing),
      decide: (wanted: DecisionChange) =>
        closing === 'selected' || closing === undefined ? changeSelected(wanted) : triage.change(closing, wanted),
      cancel: () => setClosing(undefined),
    },
    excepting: { detection: excepting, close: () => setExcepting(undefined) },
  };
}
