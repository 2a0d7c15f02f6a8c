import { type Command, Option } from 'commander';
import type { CheckResult } from '../../doctor/check.ts';
import type { CommandContext } from '../context.ts';

export function registerDoctor(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .addOption(new Option('--output <format>', 'output format').choices(['table', 'json']).default('table'))
    .option('--cluster', 'check all processes of the installation too, by what they report, and TLS certificates')
    .action(async ({ output, cluster = false }: { output: 'table' | 'json'; cluster?: boolean }) => {
      const config = await context.config();
      const { examine } = await import('../../doctor/examine.ts');
      const results = await examine(config, { cluster });
      await context.write(output === 'json' ? `${JSON.stringify(results, null, 2)}\n` : resultsTable(results));
      if (results.some(({ state }) => state === 'wrong')) context.setExitCode(1);
    });
}

/** Formats one line per check, followed by the indented hint. */
export function resultsTable(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ check }) => check.length));
  const lines = results.map(({ check, state, found, advice }) => {
    const line = `${state.padEnd(5)}  ${check.padEnd(width)}  ${found}`;
    return advice === undefined || advice === '' ? line : `${line}\n${' '.repeat(width + 9)}→ ${advice}`;
  });
  const count = (state: string) => results.filter((result) => result.state === state).length;
  return `${lines.join('\n')}\n\n${count('fine')} fine, ${count('look')} to look at, ${count('wrong')} wrong\n`;
}
