import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ruleIdSchema } from '#schemas/detection.ts';
import { usageError } from '../command-error.ts';

/** Name of the truth file of a corpus. */
export const TRUTH_FILE = 'expect.json';

const truthSchema = z
  .strictObject({
    any: z.array(ruleIdSchema).describe('Rules that count as found; empty: the capture shows no attack'),
    procname: z.string().min(1).optional().describe('Program under attack, by its process name'),
    aliases: z.array(z.string().min(1)).optional().describe('Other process names of that program'),
    any_procname: z.boolean().optional().describe('A detection of any program counts'),
    burst_ok: z.boolean().optional().describe('A burst of suppressed messages counts as found'),
    allow: z.array(ruleIdSchema).optional().describe('Rules that may fire in addition'),
    file: z.string().min(1).optional().describe('Name of the capture file, if not that of the entry'),
    note: z.string().optional().describe('What happened'),
    source: z.string().optional().describe('Where the capture comes from: kernel, machine, author, licence'),
  })
  .refine(({ any, procname, any_procname }) => any.length === 0 || procname !== undefined || any_procname === true, {
    message: 'an attack needs `procname`, or `any_procname: true`',
  });

/** The content of a capture, and what a detector must report. */
export type Truth = z.output<typeof truthSchema>;

const truthFileSchema = z.record(z.string().regex(/^[\w.-]+$/, 'letters, digits, dots, hyphens'), truthSchema);

/**
 * Reads the truth file of a corpus: one entry per capture. Throws a `CommandError` (wrong usage) that lists every
 * problem.
 */
export async function readTruths(folder: string): Promise<ReadonlyMap<string, Truth>> {
  const file = join(folder, TRUTH_FILE);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw usageError(`${file} is not a readable truth file: ${(error as Error).message}`);
  }
  const parsed = truthFileSchema.safeParse(content);
  if (!parsed.success) throw usageError(`${file} has invalid entries:\n${z.prettifyError(parsed.error)}`);
  const truths = new Map(Object.entries(parsed.data));
  if (truths.size === 0) throw usageError(`${file} has no entries: add one for each capture`);
  return truths;
}
