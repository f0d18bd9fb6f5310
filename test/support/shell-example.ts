// Runs the commands of a guide: a small part of sh, curl and jq, so that the test needs none of them installed.
//   NAME=value   NAME=$(curl … | jq -r .path)   curl [-s] [-G] [-X METHOD] [-H header] [-d body] [--data-urlencode pair] url

interface Example {
  /** The line of the document that the commands begin at. */
  line: number;
  commands: string;
  /** The answer that the document shows for the last command. */
  answer: unknown;
}

/** Every ```sh block, with the ```json block behind it if there is one. */
export const examplesIn = (markdown: string): Example[] => {
  const blocks = [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap((block, at): Example[] => {
    if (block[1] !== 'sh') return [];
    const next = blocks[at + 1];
    return [
      {
        line: markdown.slice(0, block.index).split('\n').length,
        commands: block[2] as string,
        answer: next?.[1] === 'json' ? (JSON.parse(next[2] as string) as unknown) : undefined,
      },
    ];
  });
};

/** Splits a command into words: quotes, backslashes and variables as in sh. */
const wordsOf = (command: string, variables: ReadonlyMap<string, string>): string[] => {
  const words: string[] = [];
  let word: string | undefined;
  const valueOf = (name: string): string => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`$${name} has no value`);
    return value;
  };
  for (let at = 0; at < command.length; at += 1) {
    const char = command[at] as string;
    const name = char === '$' ? /^\$(\w+)/.exec(command.slice(at))?.[1] : undefined;
    if (name !== undefined) {
      word = (word ?? '') + valueOf(name);
      at += name.length;
    } else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      word = (word ?? '') + command.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      let text = '';
      for (at += 1; command[at] !== '"'; at += 1) {
        const inner = /^\$(\w+)/.exec(command.slice(at))?.[1];
        if (inner !== undefined) {
          text += valueOf(inner);
          at += inner.length;
        } else text += command[at] === '\\' ? command[(at += 1)] : command[at];
      }
      word = (word ?? '') + text;
    } else if (char === '\\') word = (word ?? '') + (command[(at += 1)] === '\n' ? '' : (command[at] as string));
    else if (/\s/.test(char)) {
      if (word !== undefined && word !== '') words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (word !== undefined && word !== '') words.push(word);
  return words;
};

const curl = async (words: readonly string[]): Promise<unknown> => {
  const headers: Record<string, string> = {};
  const pairs: [string, string][] = [];
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  let isQuery = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const next = (): string => words[(at += 1)] as string;
    if (word === '-s') continue;
    else if (word === '-G') isQuery = true;
    else if (word === '-X') method = next();
    else if (word === '-d') body = next();
    else if (word === '-H') {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(next()) as unknown as [string, string, string];
      headers[name] = value;
    } else if (word === '--data-urlencode') {
      const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(next()) as unknown as [string, string, string];
      pairs.push([name, value]);
    } else if (word.startsWith('http')) url = word;
    else throw new Error(`curl ${word} is not understood`);
  }
  if (url === undefined || (pairs.length > 0 && !isQuery))
    throw new Error('curl without an address, or with data for no query');
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  const answer = await fetch(url + query, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
};

/** `.records[0].id` */
const jq = (value: unknown, path: string): string => {
  const found = [...path.matchAll(/\.?(\w+)|\[(\d+)\]/g)].reduce<unknown>(
    (part, [, name, index]) => (part as Record<string, unknown>)[name ?? (index as string)],
    value,
  );
  if (typeof found !== 'string') throw new Error(`${path} is ${JSON.stringify(found)}, not a text`);
  return found;
};

/** Commands end at a line end outside of quotes, parentheses and after no backslash. */
const commandsOf = (text: string): string[] => {
  const commands: string[] = [];
  let command = '';
  for (const line of text.split('\n')) {
    command += `${line}\n`;
    const bare = command.replace(/\\\n/g, ' ').replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '');
    const isOpen =
      /['"]/.test(bare) || line.endsWith('\\') || (bare.match(/\(/g) ?? []).length > (bare.match(/\)/g) ?? []).length;
    if (!isOpen) {
      if (command.trim() !== '') commands.push(command.trim());
      command = '';
    }
  }
  return commands;
};

/** Answers what the last command printed. Variables that are known already keep their values. */
export const runExample = async (commands: string, variables: Map<string, string>): Promise<unknown> => {
  let printed: unknown;
  for (const command of commandsOf(commands)) {
    const assigned = /^(\w+)=([\s\S]*)$/.exec(command);
    const captured = /^\$\(curl ([\s\S]*)\| jq -r '?([^')]+)'?\)$/.exec(assigned?.[2] ?? '');
    if (captured !== null)
      variables.set(
        assigned?.[1] as string,
        jq(await curl(wordsOf(captured[1] as string, variables)), captured[2] as string),
      );
    else if (assigned !== null) {
      if (!variables.has(assigned[1] as string))
        variables.set(assigned[1] as string, (assigned[2] as string).replace(/\s+#.*$/, ''));
    } else if (command.startsWith('curl ')) printed = await curl(wordsOf(command.slice('curl '.length), variables));
    else throw new Error(`not understood: ${command}`);
  }
  return printed;
};

/** Whether the answer has everything that the document shows: `…` stands for any text, parts of objects may be left out, lists are complete. */
export const differences = (shown: unknown, answer: unknown, path = 'answer'): string[] => {
  if (typeof shown === 'string' && shown.includes('…')) {
    const [start, end] = shown.split('…') as [string, string];
    return typeof answer === 'string' && answer.startsWith(start) && answer.endsWith(end)
      ? []
      : [`${path} is ${JSON.stringify(answer)}, not ${shown}`];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer) || answer.length !== shown.length)
      return [`${path} has ${Array.isArray(answer) ? answer.length : 'no'} items, not ${shown.length}`];
    return shown.flatMap((item, at) => differences(item, answer[at], `${path}[${at}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answer !== 'object' || answer === null) return [`${path} is ${JSON.stringify(answer)}, not an object`];
    return Object.entries(shown).flatMap(([key, value]) =>
      differences(value, (answer as Record<string, unknown>)[key], `${path}.${key}`),
    );
  }
  return Object.is(shown, answer) ? [] : [`${path} is ${JSON.stringify(answer)}, not ${JSON.stringify(shown)}`];
};
