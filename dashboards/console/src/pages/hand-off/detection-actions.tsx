import { AddToCase } from './add-to-case.tsx';
import { CopyMarkdown } from './copy-markdown.tsx';
import { RunButtons } from './run-dialog.tsx';

/** Buttons that pass a detection on: to a case, a workflow, an agent, or as text. */
export function DetectionActions({ id }: { readonly id: string }) {
  const subject = { kind: 'detections', id } as const;
  return (
    <>
      <AddToCase detections={[id]} />
      <RunButtons subject={subject} />
      <CopyMarkdown subject={subject} />
    </>
  );
}
