// What a command of the command line is, how its arguments are read, and how its help is written.
import { parseArgs } from 'node:util';

interface Option {
  /** Name of its value in the help; absent: the option is a switch. */
  value?: string;
  meaning: string;
}

export interface Given {
  /** By the name in `positionals`. */
  argument: (name: string) => string;
  option: (name: string) => string | undefined;
  chosen: (name: string) => boolean;
}

export interface Command {
  /** As typed: `user create`. */
  name: string;
  summary: string;
  positionals?: { name: string; meaning: string }[];
  options?: Record<string, Option>;
  /** Answers the exit code; nothing means 0. */
  run: (given: Given) => Promise<number | void>;
}

/** The command was called in a wrong way: one line, and exit code 2. */
export class UsageError extends Error {}

const usage = ({ name, positionals = [], options = {} }: Command): string =>
  [
    'rowhouse',
    name,
    ...positionals.map((item) => `<${item.name}>`),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ].join(' ');

const columns = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

export const commandHelp = (command: Command): string => {
  const options = { ...command.options, help: { meaning: 'Show this help' } };
  const rows = Object.entries(options).map(([name, option]): [string, string] => [
    `--${name}${'value' in option && option.value !== undefined ? ` <${option.value}>` : ''}`,
    option.meaning,
  ]);
  const positionals = (command.positionals ?? []).map((item): [string, string] => [`<${item.name}>`, item.meaning]);
  return [
    command.summary,
    '',
    `Usage: ${usage(command)}`,
    '',
    ...(positionals.length === 0 ? [] : ['Arguments:', columns(positionals), '']),
    'Options:',
    columns(rows),
  ].join('\n');
};

export const commandList = (commands: readonly Command[]): string =>
  columns(commands.map((command) => [usage(command).replace(/^rowhouse /, ''), command.summary]));

export const readArguments = (command: Command, args: string[]): Given | 'help' => {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // The first sentence says it; what follows in Node's text is about `--` and confuses.
    throw new UsageError((error as Error).message.split('. ')[0] as string);
  }
  if (parsed.values['help'] === true) return 'help';
  const wanted = command.positionals ?? [];
  const missing = wanted[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`<${missing.name}> is missing: ${usage(command)}`);
  const extra = parsed.positionals[wanted.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}": ${usage(command)}`);
  return {
    argument: (name) => parsed.positionals[wanted.findIndex((item) => item.name === name)] as string,
    option: (name) => parsed.values[name] as string | undefined,
    chosen: (name) => parsed.values[name] === true,
  };
};
