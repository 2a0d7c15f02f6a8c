import { traplineCommand } from '../trapline-command.ts';
import type { CheckResult } from './check.ts';

/** Commands that use the data directory or its configuration. `trapline detect` uses neither. */
const COMMAND = /`trapline (?!detect\b)/g;

/**
 * Rewrites the commands in the advice of a check for this data directory: `npx trapline --data-dir /srv/trapline
 * migrate`.
 */
export function withTypedCommands(result: CheckResult, dataDir: string): CheckResult {
  const { advice } = result;
  if (advice === undefined) return result;
  return { ...result, advice: advice.replace(COMMAND, () => `\`${traplineCommand(dataDir)} `) };
}
