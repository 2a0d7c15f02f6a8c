import { Button, Group } from '@mantine/core';
import type { FormEvent } from 'react';
import { durationText } from '../../parts/execution/duration.ts';
import { Facts } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { PersonInput } from '../hand-off/person-input.tsx';
import { caseFigure, caseOpened } from './case-columns.tsx';
import type { WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.facts;

/** Assignee and times of a case. */
export function FactsSection({
  of,
  busy,
  onAssign,
}: {
  readonly of: WholeCase;
  readonly busy: boolean;
  readonly onAssign: (assignee: string | null) => void;
}) {
  const { assignee, reason, createdAt, createdBy, campaign, acknowledgedAt, closedAt } = of;

  function assign(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('assignee')).trim() || null;
    if (wanted !== assignee) onAssign(wanted);
  }

  return (
    <Section title={TEXT.title}>
      {/* The key resets the form when another user assigns the case. */}
      <form onSubmit={assign} key={assignee}>
        <Group gap="xs" align="flex-end" mb="sm" wrap="nowrap">
          <PersonInput name="assignee" label={TEXT.assignee} defaultValue={assignee ?? ''} flex={1} />
          <Button type="submit" variant="default" loading={busy}>
            {TEXT.assign}
          </Button>
        </Group>
      </form>
      <Facts
        facts={[
          [TEXT.opened, caseOpened(createdAt, <TimeText at={createdAt} />)],
          [CASES_TEXT.filters.figures.detections, caseFigure('detections', of.detections)],
          [CASES_TEXT.filters.figures.openTasks, caseFigure('openTasks', of.tasks - of.tasksDone)],
          ...(createdBy === 'system' ? [[TEXT.openedBy, TEXT.system] as const] : []),
          ...(campaign === null
            ? []
            : [
                [
                  CASES_TEXT.page.campaign,
                  <PageLink key="campaign" to="/detections/$id" params={{ id: campaign }} size="sm">
                    {campaign}
                  </PageLink>,
                ] as const,
              ]),
          [TEXT.acknowledged, <After key="acknowledged" at={acknowledgedAt} seconds={of.timeToAcknowledge} />],
          [TEXT.closed, <After key="closed" at={closedAt} seconds={of.timeToClose} />],
          ...(reason === null ? [] : [[TEXT.reason, CASES_TEXT.reasons[reason]] as const]),
        ]}
      />
    </Section>
  );
}

function After({ at, seconds }: { readonly at: string | null; readonly seconds: number | null }) {
  if (at === null) return TEXT.notYet;
  return (
    <>
      <TimeText at={at} /> <span className="tl-nowrap">{TEXT.after(durationText((seconds ?? 0) * 1_000))}</span>
    </>
  );
}
