import { Button, FileInput, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RunFile } from './start-run.ts';

/** Files of an input, each under the name by which the workflow or agent knows it. */
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
            size="compact-xs"
            variant="default"
            aria-label={`Remove the file ${one.name}`}
            onClick={() => onChange(files.filter((other) => other !== one))}
          >
            Remove
          </Button>
        </Group>
      ))}
      <Group align="flex-end" gap="xs">
        <TextInput label="Name of a file input" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <FileInput
          label="File"
          placeholder="Choose a file"
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
