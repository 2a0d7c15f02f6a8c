import { Text } from '@mantine/core';
import { Overtaken } from '../../parts/overtaken.tsx';
import { changeText } from './change-text.ts';
import type { Conflict } from './use-decision.ts';
import { useHistory } from './use-history.ts';

/** Shows what somebody else decided a moment before, and lets one decide again. */
export function ConflictNotice({
  id,
  conflict,
  busy,
  onInsist,
  onYield,
}: {
  readonly id: string;
  readonly conflict: Conflict;
  readonly busy: boolean;
  readonly onInsist: () => void;
  readonly onYield: () => void;
}) {
  const { data } = useHistory(id);
  const latest = data?.data[0];
  return (
    <Overtaken title="Somebody else decided a moment ago" busy={busy} onInsist={onInsist} onYield={onYield}>
      {latest !== undefined && (
        <Text size="sm">
          {latest.username ?? latest.actor}: {changeText(latest.before, latest.after)}
        </Text>
      )}
      <Text size="sm" mt="xs">
        You wanted: {changeText({}, conflict.mine ?? {})}. Nothing of it was done.
      </Text>
    </Overtaken>
  );
}
