// How deep JSON is, without reading it: millions of levels take JSON.parse seconds, in which nobody else is served.

const quote = 34;
const backslash = 92;
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/** Where a text that begins at `start` ends; the end of all when it does not. */
const endOfText = (json: string, start: number): number => {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
};

/** Whether lists and objects stand in each other more than `most` times. Of what is no JSON it says anything. */
export const isDeeperThan = (json: string, most: number): boolean => {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfText(json, at);
        break;
      case openList:
      case openObject:
        depth += 1;
        if (depth > most) return true;
        break;
      case closeList:
      case closeObject:
        depth -= 1;
    }
  }
  return false;
};
