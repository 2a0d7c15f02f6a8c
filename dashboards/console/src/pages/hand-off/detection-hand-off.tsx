import { CasesOfDetection } from './cases-of-detection.tsx';
import { CommentThread } from './comment-thread.tsx';
import { ExecutionList } from './execution-list.tsx';

/** Cases of a detection, its executions, and its comments. */
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
