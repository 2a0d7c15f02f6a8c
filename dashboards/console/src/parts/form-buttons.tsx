import { Button, Group } from '@mantine/core';
import { PARTS_TEXT } from './text.ts';

/** The buttons of a form in a dialog: cancel, and submit. */
export function FormButtons({
  submit,
  loading,
  disabled = false,
  onCancel,
}: {
  readonly submit: string;
  readonly loading: boolean;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {PARTS_TEXT.cancel}
      </Button>
      <Button type="submit" loading={loading} disabled={disabled}>
        {submit}
      </Button>
    </Group>
  );
}
