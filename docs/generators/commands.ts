import { Command } from 'commander';
import { COMMANDS } from '#deploy/cli/command-table.ts';
import type { CommandContext } from '#deploy/cli/context.ts';
import { cell, generatedPage, table } from './markdown.ts';

/** The page of the command line, from the commands as commander knows them. */
export async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const program = new Command('trapline');
    // Registering a command takes nothing from its context; only running it does.
    (await load())(program, {} as CommandContext);
    for (const command of program.commands) sections.push(sectionOf(command, `trapline ${name}`, summary, 2));
  }
  return `${generatedPage('Command line', '`trapline <command> --help` prints the same for one command.')}\n${sections.join('\n')}`;
}

function sectionOf(command: Command, path: string, summary: string, level: number): string {
  const options = command.options.map(({ flags, description, defaultValue }) => [
    `\`${cell(flags)}\``,
    cell(description) + (defaultValue === undefined ? '' : ` (default \`${cell(String(defaultValue))}\`)`),
  ]);
  const usage = `${path}${command.usage() === '' ? '' : ` ${command.usage()}`}`;
  const parts = [
    `${'#'.repeat(level)} ${path}\n`,
    `${summary || command.description()}\n`,
    `\`\`\`text\n${usage}\n\`\`\`\n`,
  ];
  if (options.length > 0) parts.push(table(['Option', 'Meaning'], options));
  for (const inner of command.commands)
    parts.push(sectionOf(inner, `${path} ${inner.name()}`, inner.description(), Math.min(level + 1, 4)));
  return parts.join('\n');
}
