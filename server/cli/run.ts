// The command line: finds the command, runs it, and turns what stops it into one line and an exit code.
import { ApiError } from '@rowhouse/contract/error.ts';
import { SettingError } from '../config-value.ts';
import { StartError } from '../db/error.ts';
import { NewerDatabase } from '../db/migrate.ts';
import { versionOf } from '../db/version.ts';
import { type Command, commandHelp, commandList, readArguments, UsageError } from './command.ts';
import { backup, restore } from './backup.ts';
import { doctor } from './doctor.ts';
import { migrateCommand } from './migrate.ts';
import { nodeCommands } from './node.ts';
import { sample } from './sample.ts';
import { serve } from './serve.ts';
import { spaceCommands } from './space.ts';
import { tokenCommands } from './token.ts';
import { userCommands } from './user.ts';

const commands: readonly Command[] = [
  serve,
  migrateCommand,
  ...userCommands,
  ...tokenCommands,
  ...spaceCommands,
  ...nodeCommands,
  backup,
  restore,
  doctor,
  sample,
];

const help = (list: readonly Command[]): string =>
  [
    'Rowhouse, a collaborative table database.',
    '',
    'Usage: rowhouse <command> [options]',
    '',
    'Commands:',
    commandList(list),
    '',
    '`rowhouse <command> --help` tells more. Settings are environment variables; README.md lists them.',
  ].join('\n');

const versionText = (): string => {
  const { version, commit } = versionOf();
  return commit === null ? version : `${version} (${commit.slice(0, 10)})`;
};

const isHelp = (word: string | undefined): boolean =>
  word === undefined || word === 'help' || word === '--help' || word === '-h';

const find = (args: string[]): { command: Command; rest: string[] } | string => {
  const command = commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));
  if (command !== undefined) return { command, rest: args.slice(command.name.split(' ').length) };
  if (isHelp(args[0])) return help(commands);
  if (args[0] === '--version' || args[0] === '-v') return versionText();
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `));
  if (group.length === 0) throw new UsageError(`there is no command "${args[0]}"; rowhouse --help lists them`);
  if (isHelp(args[1])) return help(group);
  throw new UsageError(`there is no command "${args[0]} ${args[1]}"; rowhouse ${args[0]} --help lists them`);
};

const expected = (error: unknown): error is Error =>
  error instanceof SettingError ||
  error instanceof StartError ||
  error instanceof NewerDatabase ||
  error instanceof ApiError;

export const run = async (args: string[]): Promise<number> => {
  try {
    const found = find(args);
    const given = typeof found === 'string' ? 'help' : readArguments(found.command, found.rest);
    if (typeof found === 'string' || given === 'help') {
      console.log(typeof found === 'string' ? found : commandHelp(found.command));
      return 0;
    }
    return (await found.command.run(given)) ?? 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`rowhouse: ${error.message}`);
      return 2;
    }
    console.error(expected(error) ? `rowhouse: ${error.message}` : error);
    return 1;
  }
};
