import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { refusalText } from '#analytics/detections/user-rules/refusal.ts';
import type { UserRule } from '#analytics/detections/user-rules/user-rule.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

/** A rule file that was parsed without errors. */
export interface RuleFile {
  readonly path: string;
  readonly source: string;
  readonly rule: UserRule;
}

/**
 * Reads rule files, and those of folders (`*.yaml`, `*.yml`). Prints each error as `FILE:LINE: …` and sets exit code 1.
 */
export async function readRuleFiles(paths: readonly string[], context: CommandContext): Promise<RuleFile[]> {
  const files: RuleFile[] = [];
  const owners = new Map<string, string>();
  for (const path of (await Promise.all(paths.map(filesOf))).flat()) {
    const source = await readFile(path, 'utf8');
    const read = readRule(source);
    if (!read.ok) {
      context.note(`${path}:${read.refusal.line}: ${refusalText(read.refusal).replace(/^line \d+: /, '')}`);
      context.setExitCode(1);
      continue;
    }
    const other = owners.get(read.rule.id);
    if (other !== undefined)
      throw usageError(`${path} and ${other} define the same rule, ${read.rule.id}: give one another name`);
    owners.set(read.rule.id, path);
    files.push({ path, source, rule: read.rule });
  }
  return files;
}

async function filesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => {
    throw usageError(`${path}: there is no such file or folder`);
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => /\.ya?ml$/i.test(name)).sort();
  if (names.length === 0) throw usageError(`${path}: there are no rules (*.yaml, *.yml) in this folder`);
  return names.map((name) => join(path, name));
}
