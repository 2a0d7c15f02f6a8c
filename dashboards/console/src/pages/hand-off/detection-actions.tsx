import type { Detection } from '../detection/detection-types.ts';
import { AddToCase } from './add-to-case.tsx';
import { CopyMarkdown } from './copy-markdown.tsx';
import { RunButtons } from './run-dialog.tsx';

/** Buttons that hand a detection over: to a case, a workflow, an agent, or as text. */
export function DetectionActions({
  of: { id, hostname, procname, file, rule },
}: {
  readonly of: Pick<Detection, 'id' | 'hostname' | 'procname' | 'file' | 'rule'>;
}) {
  const facts = { hostname, host: hostname, procname, program: procname, file, rule: rule.id };
  const subject = { kind: 'detections', id, facts } as const;
  return (
    <>
      <AddToCase detections={[id]} />
      <RunButtons subject={subject} />
      <CopyMarkdown subject={subject} />
    </>
  );
}
