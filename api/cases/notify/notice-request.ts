import { z } from 'zod';

/** The queue of mails about mentions and assignments. */
export const NOTICE_QUEUE = 'notice';

/** What a job of the queue `notice` is to do. Whether the account wants the mail is looked up when it is sent. */
export const noticeRequestSchema = z.object({
  /** Account that the mail goes to. */
  userId: z.string(),
  /** Also the name of the setting that turns it off. */
  kind: z.enum(['mentions', 'assignments']),
  /** Id of a detection or case. */
  subject: z.string(),
  /** Detections that were assigned at once. */
  count: z.int(),
  /** Of the comment or the task. */
  text: z.string().optional(),
  /** Name of the account that mentions or assigns. */
  by: z.string(),
});
export type NoticeRequest = z.infer<typeof noticeRequestSchema>;
