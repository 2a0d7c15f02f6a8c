import { composeMail, type Paragraph } from '#api/accounts/mail/compose.ts';
import type { Mail } from '#api/accounts/mail/port.ts';
import type { NoticeRequest } from './notice-request.ts';

/** Identifies the subject of a mail. */
export interface NoticeSubject {
  /** `Case 12: title`, or the rule and host of a detection. */
  readonly title: string;
  readonly link: string;
}

/** Returns the mail about a mention or an assignment. Its subject line contains no text of comments or hosts. */
export function noticeMail(
  { email, username }: { readonly email: string; readonly username: string },
  { kind, count, text, by, subject }: NoticeRequest,
  { title, link }: NoticeSubject,
): Mail {
  const noun = subject.startsWith('case_') ? 'a case' : 'a detection';
  const isTask = kind === 'assignments' && text !== undefined;
  const what = isTask ? `a task of ${noun}` : count > 1 ? `${count} detections` : noun;
  const paragraphs: Paragraph[] = [
    kind === 'mentions'
      ? `${by} mentions you (${username}) on ${noun}: ${title}`
      : `${by} assigned ${what} to you (${username}): ${title}`,
    ...(text === undefined ? [] : [text]),
    { link, label: 'Open in Trapline' },
    'You can turn off these e-mails in your profile.',
  ];
  const line = kind === 'mentions' ? `${by} mentions you in Trapline` : `${by} assigned ${what} to you in Trapline`;
  return composeMail(email, line, paragraphs);
}
