import { Button, Group, Loader, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { DetectionGrouping } from '#schemas/api/detection-sort.ts';
import { type Answer, call } from '../../api/client.ts';
import { numberText } from '../../language/numbers.ts';
import { defined } from '../../parts/defined.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { filterFor } from '../../parts/filters/filter-values.ts';
import { Icon } from '../../parts/icons.tsx';
import { useKept } from '../../parts/list/kept-state.ts';
import { ruleName } from '../../parts/rules/rule-name.ts';
import { SeverityText } from '../../parts/severity-text.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import type { Detection } from '../detection/detection-types.ts';
import type { DetectionFilters, detectionsQuery } from './filters.ts';
import { NestedDetections } from './nested-detections.tsx';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.groups;
const SHOWN = 100;

type DetectionGroup = Answer<'get', '/api/detections/groups'>['data'][number];

/** Returns the filters that select the detections of a group. */
export function filtersOfGroup(
  filters: DetectionFilters,
  by: DetectionGrouping,
  value: string | null,
): DetectionFilters {
  if (value !== null) return defined({ ...filters, ...filterFor(by, value) });
  if (by === 'campaign') return { ...filters, campaign: 'null' };
  const none = `${by}:null`;
  return { ...filters, q: filters.q === undefined ? none : `(${filters.q}) ${none}` };
}

/** Groups of detections, worst severity first. A group expands to its detections. */
export function DetectionGroups({
  by,
  filters,
  asked,
  openedAt,
  empty,
  onShowList,
  onOpen,
}: {
  readonly by: DetectionGrouping;
  readonly filters: DetectionFilters;
  /** API parameters for the filters. */
  readonly asked: ReturnType<typeof detectionsQuery>;
  readonly openedAt: number;
  readonly empty: string;
  /** Opens the detections of a group as a list, for actions on all of them. */
  readonly onShowList: (filters: DetectionFilters) => void;
  /** `filters`: those of the group. */
  readonly onOpen: (detection: Detection, filters: DetectionFilters) => void;
}) {
  const [opened, setOpened] = useKept<readonly string[]>(`opened groups by ${by}`, () => []);
  const groups = useQuery({
    queryKey: ['detection-groups', by, asked],
    queryFn: ({ signal }) => call('get', '/api/detections/groups', { query: { ...asked, by, limit: SHOWN }, signal }),
  });
  if (groups.isPending) return <Loader size="sm" aria-label={TEXT.loading} />;
  if (groups.isError) return <FailureNotice error={groups.error} onRetry={() => void groups.refetch()} />;
  const { data, groups: total } = groups.data;
  if (data.length === 0)
    return (
      <Text p="md" c="dimmed" role="status">
        {empty}
      </Text>
    );
  return (
    <div role="group" aria-label={TEXT.label}>
      <div className="tl-grid">
        <div className="tl-group-head tl-group-names" aria-hidden>
          <span />
          <span>{TEXT.names[by]}</span>
          <span>{TEXT.names.severity}</span>
          <span className="tl-group-number">{TEXT.names.open}</span>
          <span className="tl-group-number">{TEXT.names.hosts}</span>
          <span className="tl-group-number">{TEXT.names.crashes}</span>
          <span>{TEXT.names.lastSeen}</span>
        </div>
        {data.map((group) => {
          const key = group.value ?? '';
          const isOpen = opened.includes(key);
          const toggle = () => setOpened(isOpen ? opened.filter((one) => one !== key) : [...opened, key]);
          const chosen = filtersOfGroup(filters, by, group.value);
          const name = nameOf(by, group);
          return (
            <section key={key} aria-label={name}>
              <GroupHead group={group} name={name} isOpen={isOpen} onToggle={toggle} />
              {isOpen && (
                <div className="tl-group-body">
                  <Group justify="flex-end" mb={6}>
                    <Button size="compact-sm" variant="default" onClick={() => onShowList(chosen)}>
                      {TEXT.showAsList}
                    </Button>
                  </Group>
                  <NestedDetections
                    filters={chosen}
                    openedAt={openedAt}
                    label={name}
                    onOpen={(detection) => onOpen(detection, chosen)}
                  />
                </div>
              )}
            </section>
          );
        })}
      </div>
      <Text size="sm" c="dimmed" mt={6} role="status">
        {total > data.length ? TEXT.worst(data.length, total) : TEXT.total(total)}
      </Text>
    </div>
  );
}

function GroupHead({
  group,
  name,
  isOpen,
  onToggle,
}: {
  readonly group: DetectionGroup;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const wide = useMediaQuery('(min-width: 48em)', true);
  const { detections, open, hosts, crashes, lastSeen, worstSeverity } = group;
  return (
    <UnstyledButton className="tl-group-head" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chevron" size={14} />
      <Text span size="sm" fw={500} truncate={wide}>
        {name}
      </Text>
      <SeverityText severity={worstSeverity} />
      {wide && (
        <>
          <Counted shown={TEXT.part(open, detections)} said={TEXT.open(open, detections)} />
          <Counted shown={numberText(hosts)} said={TEXT.hosts(hosts)} />
          <Counted shown={numberText(crashes)} said={TEXT.crashes(crashes)} />
          <TimeText at={lastSeen} short />
        </>
      )}
      {!wide && (
        <Text span size="xs" c="dimmed" className="tl-group-facts">
          {TEXT.open(open, detections)} · <TimeText at={lastSeen} short />
        </Text>
      )}
    </UnstyledButton>
  );
}

/** A number below its column header. Screen readers skip these headers, so they get a description. */
function Counted({ shown, said }: { readonly shown: string; readonly said: string }) {
  return (
    <span className="tl-group-number">
      <span aria-hidden>{shown}</span>
      <span className="tl-screen-reader">{said}</span>
    </span>
  );
}

function nameOf(by: DetectionGrouping, { value, name }: DetectionGroup): string {
  if (value === null) return TEXT.without[by];
  if (by === 'rule') return visible(ruleName({ id: value, name: name ?? value }));
  if (by === 'campaign') return TEXT.campaign(visible(name ?? value));
  return visible(value);
}
