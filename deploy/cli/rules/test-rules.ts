import { runCases } from '#analytics/detections/user-rules/run-cases.ts';
import { counted } from '../../counted.ts';
import type { CommandContext } from '../context.ts';
import { type RuleFile, readRuleFiles } from './rule-files.ts';

/** Reads the rules and runs the test cases in their files. Sets exit code 1 if a file is rejected or a case fails. */
export async function testRules(paths: readonly string[], context: CommandContext): Promise<void> {
  let passed = 0;
  let failed = 0;
  for (const file of await readRuleFiles(paths, context)) {
    const failures = await failuresOf(file, context);
    failed += failures;
    passed += file.rule.cases.length - failures;
  }
  context.note(`${counted(passed, 'case')} passed, ${failed} failed`);
}

/**
 * Prints a line for each rule and each failed case. Returns the number of failed cases, and sets exit code 1 if there
 * are any.
 */
export async function failuresOf({ path, source, rule }: RuleFile, context: CommandContext): Promise<number> {
  const failures = runCases(rule, source).filter((one) => !one.passed);
  const cases =
    rule.cases.length === 0
      ? 'no cases'
      : `${rule.cases.length - failures.length} of ${counted(rule.cases.length, 'case')} passed`;
  await context.write(`${rule.id}: ${cases}\n`);
  for (const { line, name, expected, found } of failures)
    context.note(`${path}:${line}: ${name}: ${counted(expected, 'detection')} expected, ${found} found`);
  if (failures.length > 0) context.setExitCode(1);
  return failures.length;
}
