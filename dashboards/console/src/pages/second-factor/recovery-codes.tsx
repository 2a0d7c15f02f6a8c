import { Alert, Button, Stack, Text } from '@mantine/core';
import { CopyText } from '../../parts/copy-text.tsx';
import { SECOND_FACTOR_TEXT } from './text.ts';

const TEXT = SECOND_FACTOR_TEXT.recovery;

/** New recovery codes, shown only once. */
export function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Alert variant="outline" color="indigo" title={TEXT.shown} role="status">
        <Text size="sm">{TEXT.hint}</Text>
        <CopyText text={codes.join('\n')} label={TEXT.label} />
      </Alert>
      <Button fullWidth onClick={onDone}>
        {TEXT.saved}
      </Button>
    </Stack>
  );
}
