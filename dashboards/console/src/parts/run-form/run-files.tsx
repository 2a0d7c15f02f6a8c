import { Button, FileInput, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RunFile } from './start-run.ts';
import { RUN_FORM_TEXT } from './text.ts';

const TEXT = RUN_FORM_TEXT;

/** Files of an input, each with the name of its file input. */
export function RunFiles({
  files,
  onChange,
}: {
  readonly files: readonly RunFile[];
  readonly onChange: (files: readonly RunFile[]) => void;
}) {
  const [name, setName] = useState('');
  return (
    <Stack gap="xs">
      {files.map((one) => (
        <Group key={one.name} gap="xs">
          <span>
            <b>{one.name}</b>: {one.file.name}
          </span>
          <Button
            size="compact"
            variant="default"
            aria-label={TEXT.removeFile(one.name)}
            onClick={() => onChange(files.filter((other) => other !== one))}
          >
            {TEXT.remove}
          </Button>
        </Group>
      ))}
      <Group align="flex-end" gap="xs">
        <TextInput label={TEXT.fileName} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <FileInput
          label={TEXT.file}
          placeholder={TEXT.chooseFile}
          w={200}
          disabled={name === '' || files.some((one) => one.name === name)}
          value={null}
          onChange={(file) => {
            if (file === null) return;
            onChange([...files, { name, file }]);
            setName('');
          }}
        />
      </Group>
    </Stack>
  );
}
