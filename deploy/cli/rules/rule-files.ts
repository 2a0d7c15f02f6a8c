import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { refusalText } from '#analytics/detections/user-rules/refusal.ts';
import type { UserRule } from '#analytics/detections/user-rules/user-rule.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { readYamlSources } from '../yaml-sources.ts';

/** A rule file that was parsed without errors. */
export interface RuleFile {
  readonly path: string;
  readonly source: string;
  readonly rule: UserRule;
}

/**
 * Reads rule files, those of folders (`*.yaml`, `*.yml`), and standard input for `-`. Prints each error as `FILE:LINE: …` and sets exit code 1.
 */
export async function readRuleFiles(paths: readonly string[], context: CommandContext): Promise<RuleFile[]> {
  const files: RuleFile[] = [];
  const owners = new Map<string, string>();
  const sources = await Promise.all(paths.map((path) => readYamlSources(path, 'rules', context)));
  for (const { path, text: source } of sources.flat()) {
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
