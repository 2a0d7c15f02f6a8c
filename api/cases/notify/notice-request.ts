import { z } from 'zod';

/** The queue of mails about mentions and assignments. */
export const NOTICE_QUEUE = 'notice';

/** Input of a job of the queue `notice`. The setting of the account is checked when the mail is sent. */
export const noticeRequestSchema = z.object({
  /** Account that receives the mail. */
  userId: z.string(),
  /** Also the name of the setting that disables it. */
  kind: z.enum(['mentions', 'assignments']),
  /** Id of a detection or case. */
  subject: z.string(),
  /** Number of detections that were assigned together. */
  count: z.int(),
  /** Text of the comment or the task. */
  text: z.string().optional(),
  /** Name of the account that caused the mail. */
  by: z.string(),
});
export type NoticeRequest = z.infer<typeof noticeRequestSchema>;
