import { randomUUID } from 'node:crypto';

/** Returns a new id: the prefix and 32 hexadecimal digits. */
export function newId(prefix: 'case' | 'task' | 'file' | 'tpl' | 'cmt'): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}
