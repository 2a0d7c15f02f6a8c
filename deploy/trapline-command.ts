import path from 'node:path';
import { DEFAULT_DATA_DIR } from './config/settings/process.ts';
import { ownCommand } from './own-command.ts';
import { shellWord } from './shell-word.ts';

/** Returns the command to type in this folder for the server of a data directory. */
export function traplineCommand(dataDir: string): string {
  const isDefault = path.resolve(dataDir) === path.resolve(DEFAULT_DATA_DIR);
  return isDefault ? ownCommand() : `${ownCommand()} --data-dir ${shellWord(dataDir)}`;
}
