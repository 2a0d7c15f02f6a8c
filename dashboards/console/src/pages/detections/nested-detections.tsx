import { useMediaQuery } from '@mantine/hooks';
import { RecordList } from '../../parts/list/record-list.tsx';
import type { Detection } from '../detection/detection-types.ts';
import { detectionColumns, rowHeight } from './detection-columns.tsx';
import type { DetectionFilters } from './filters.ts';
import { DETECTIONS_TEXT } from './text.ts';
import { useDetectionList } from './use-detection-list.ts';

const NOT_SELECTABLE = { has: () => false, toggle: () => {}, toggleLoaded: () => {}, loaded: 'none' } as const;

/** The detections of a group. Actions on them are available in the group's list. */
export function NestedDetections({
  filters,
  openedAt,
  label,
  onOpen,
}: {
  readonly filters: DetectionFilters;
  readonly openedAt: number;
  readonly label: string;
  readonly onOpen: (detection: Detection) => void;
}) {
  const wide = useMediaQuery('(min-width: 48em)', true);
  const { list } = useDetectionList(filters, {}, openedAt);
  return (
    <RecordList
      label={label}
      query={list}
      rowId={({ id }) => id}
      columns={detectionColumns(NOT_SELECTABLE).filter(({ id }) => id !== 'select')}
      onOpen={onOpen}
      severity={({ severity }) => severity}
      rowPx={rowHeight(wide)}
      height="16rem"
      empty={DETECTIONS_TEXT.noMatch}
    />
  );
}
