import { CasesOfDetection } from './cases-of-detection.tsx';
import { CommentThread } from './comment-thread.tsx';
import { ExecutionList } from './execution-list.tsx';

/** What analysts pass on about a detection: its cases, what was run on it, and its comments. */
export function DetectionHandOff({ id }: { readonly id: string }) {
  const subject = { kind: 'detections', id } as const;
  return (
    <>
      <CasesOfDetection id={id} />
      <ExecutionList subject={subject} />
      <CommentThread subject={subject} />
    </>
  );
}
