// One figure of /metrics.

export const figure = async (origin: string, name: string, label = ''): Promise<number> => {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name}${label} `));
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ')));
};
