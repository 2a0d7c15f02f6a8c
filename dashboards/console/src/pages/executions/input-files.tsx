import { Anchor, List } from '@mantine/core';
import { addressOf } from '../../api/client.ts';
import { sizeText } from '../../parts/execution/duration.ts';
import { isRecord } from '../../parts/run-form/json.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const TEXT = EXECUTIONS_TEXT.execution;

/** Downloads of the input files of an execution. The input contains a reference with the hash of each file. */
export function InputFiles({ executionId, input }: { readonly executionId: string; readonly input: unknown }) {
  const files = Object.values(isRecord(input) ? input : {}).flatMap((value) =>
    isRecord(value) && typeof value.file === 'string' && typeof value.sha256 === 'string'
      ? [{ name: value.file, filename: String(value.filename), size: Number(value.size) }]
      : [],
  );
  if (files.length === 0) return null;
  return (
    <List size="sm" aria-label={TEXT.files}>
      {files.map(({ name, filename, size }) => (
        <List.Item key={name}>
          <Anchor
            href={addressOf('/api/v1/workflows/executions/{executionId}/files/{filename}', {
              path: { executionId, filename: name },
            })}
            download={filename}
            underline="always"
          >
            {name}
          </Anchor>
          {TEXT.file(filename, sizeText(size))}
        </List.Item>
      ))}
    </List>
  );
}
