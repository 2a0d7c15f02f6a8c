import { Text } from '@mantine/core';
import { Overtaken } from '../../parts/overtaken.tsx';
import { changeText } from './change-text.ts';
import { DETECTION_TEXT } from './text.ts';
import type { Conflict } from './use-decision.ts';
import { useHistory } from './use-history.ts';

const TEXT = DETECTION_TEXT.conflict;

/** Shows another user's decision that a change would overwrite. The user can overwrite or keep it. */
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
  const username = latest?.username ?? latest?.actor ?? TEXT.unknownUser;
  return (
    <Overtaken
      title={TEXT.title(username)}
      keepText={TEXT.keep(username)}
      busy={busy}
      onInsist={onInsist}
      onYield={onYield}
    >
      {latest !== undefined && <Text size="sm">{TEXT.theirs(username, changeText(latest.before, latest.after))}</Text>}
      <Text size="sm" mt="xs">
        {TEXT.yours(changeText({}, conflict.mine ?? {}))}
      </Text>
    </Overtaken>
  );
}
