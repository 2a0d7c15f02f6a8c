import { Button, Group } from '@mantine/core';
import { PARTS_TEXT } from './text.ts';

/** Buttons of a form in a dialog: remove (for an existing item), cancel, submit. */
export function FormButtons({
  submit,
  loading,
  disabled = false,
  onCancel,
  remove,
}: {
  readonly submit: string;
  readonly loading: boolean;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
  /** Removes the item after a confirmation. */
  readonly remove?: { readonly text: string; readonly onRemove: () => void };
}) {
  return (
    <Group justify="flex-end" className="tl-dialog-buttons">
      {remove !== undefined && (
        <Button variant="default" mr="auto" c="var(--mantine-color-error)" onClick={remove.onRemove}>
          {remove.text}
        </Button>
      )}
      <Button variant="default" onClick={onCancel}>
        {PARTS_TEXT.cancel}
      </Button>
      <Button type="submit" loading={loading} disabled={disabled}>
        {submit}
      </Button>
    </Group>
  );
}
