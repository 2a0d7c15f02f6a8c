import { Button, Group, Loader, NativeSelect, Progress, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { shareText } from '../../language/numbers.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { BacktestResult } from './backtest-result.tsx';
import type { Rule } from './rule.ts';
import { type Judged, runBacktest } from './run-backtest.ts';
import type { RuleProposal } from './settings-draft.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.backtest;

const DAYS = [1, 7, 30] as const;
const DAY_MS = 86_400_000;

/** Runs a back-test of unsaved settings on stored events. It takes up to 30 seconds, plus the time in the queue. */
export function Backtest({
  rule,
  proposal,
  disabled,
}: {
  readonly rule: Rule['id'];
  readonly proposal: RuleProposal;
  readonly disabled: boolean;
}) {
  const [days, setDays] = useState<string>('30');
  const running = useRef<AbortController>(undefined);
  /** Position in the queue. 0: running. */
  const [position, setPosition] = useState<number>();
  const [judged, setJudged] = useState<Judged>();
  const trying = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      const from = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
      setPosition(undefined);
      setJudged(undefined);
      const { signal } = running.current;
      const found = await runBacktest(
        rule,
        { ...proposal, from },
        { signal, onPosition: setPosition, onJudged: setJudged },
      );
      return { ...found, days, asked: JSON.stringify(proposal) };
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const stopped = trying.error instanceof DOMException && trying.error.name === 'AbortError';

  return (
    <section aria-label={TEXT.label}>
      <Title order={3} size="h6" mt="md" mb="xs">
        {TEXT.title}
      </Title>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={TEXT.range}
          value={days}
          data={DAYS.map((value) => ({ value: String(value), label: TEXT.ranges[value] }))}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <Button variant="default" disabled={disabled || trying.isPending} onClick={() => trying.mutate()}>
          {TEXT.action}
        </Button>
        {trying.isPending && (
          <Button variant="default" onClick={() => running.current?.abort()}>
            {position === undefined || position > 0 ? TEXT.cancel : TEXT.stop}
          </Button>
        )}
      </Group>
      {trying.isPending && <Waiting position={position} judged={judged} />}
      {trying.isError && stopped && (
        <Text size="sm" mt="sm" role="status">
          {TEXT.cancelled}
        </Text>
      )}
      {trying.isError && !stopped && <FailureNotice error={trying.error} />}
      {trying.isSuccess && (
        <BacktestResult
          found={trying.data}
          days={trying.data.days}
          old={trying.data.asked !== JSON.stringify(proposal)}
        />
      )}
    </section>
  );
}

function Waiting({ position, judged }: { readonly position: number | undefined; readonly judged: Judged | undefined }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Group mt="sm" gap="sm">
        <Loader size="sm" aria-hidden />
        <Text size="sm" role="status">
          {position === undefined ? TEXT.starting : position === 0 ? TEXT.running : TEXT.queued(position)}
        </Text>
        <Text size="sm" c="dimmed" aria-hidden>
          {TEXT.seconds(seconds)}
        </Text>
      </Group>
      {judged !== undefined && judged.total > 0 && <Share {...judged} />}
    </>
  );
}

/** Share of judged events, as a bar and in numbers. */
function Share({ judged, total }: Judged) {
  const percent = Math.min(100, Math.floor((100 * judged) / total));
  return (
    <Group mt="xs" gap="sm" wrap="nowrap">
      <Progress value={percent} aria-label={TEXT.progress} flex={1} maw={240} />
      <Text size="sm" c="dimmed">
        {TEXT.judged(shareText(percent / 100), judged, total)}
      </Text>
    </Group>
  );
}
