// Names for the files of an archive: each once, and none that leads out of the folder that it is unpacked in.
const harmless = (name: string): string => {
  // eslint-disable-next-line no-control-regex
  const shown = name
    .toWellFormed()
    .replace(/[\u0000-\u001F\u007F\\/:*?"<>|]/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 200);
  return shown === '' ? 'file' : shown;
};

export const archiveNames = (names: readonly string[]): string[] => {
  // Some systems tell no capitals from others.
  const taken = new Set<string>();
  return names.map((given) => {
    const name = harmless(given);
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${extension}`;
    taken.add(free.toLowerCase());
    return free;
  });
};
