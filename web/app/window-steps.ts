// Names this window to the server, and the steps that its requests are: those of one name are undone together. Every request that
// writes carries both names, so whatever can be undone is a step, wherever on the screen it was done.
const kept = 'rowhouse.window';

const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const keep = (name: string): string => {
  try {
    sessionStorage.setItem(kept, name);
  } catch {
    // Not allowed: then a reload is another window.
  }
  return name;
};

const keptName = (): string => {
  try {
    return sessionStorage.getItem(kept) ?? keep(randomName());
  } catch {
    return randomName();
  }
};

let ownName: string | undefined;

/** A tab that was duplicated begins with what the first one keeps. The first one says that the name is taken. */
const listenForTwins = (): void => {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(kept);
  let asked = true;
  channel.onmessage = ({ data }: MessageEvent<{ asks?: string; taken?: string }>) => {
    if (data.asks === ownName) channel.postMessage({ taken: ownName });
    else if (asked && data.taken === ownName) {
      asked = false;
      ownName = keep(randomName());
    }
  };
  channel.postMessage({ asks: ownName });
};

export const windowName = (): string => {
  if (ownName === undefined) {
    ownName = keptName();
    listenForTwins();
  }
  return ownName;
};

export const newStep = (): string => randomName();

/** For requests that are part of one gesture. */
export const inStep = (step: string | undefined): Record<string, string> =>
  step === undefined ? {} : { 'x-window-step': step };

// What is typed is sent again and again, and is one step.
const together = 1_500;

const isTyped = (method: string, path: string): boolean =>
  method !== 'POST' &&
  /\/table\/[^/]+\/(field|view)\//.test(path) &&
  !/\/(column-meta|options|record-order)$/.test(path);

/** Names the step of a request that is no part of a gesture: the one before it, if that was the same change a moment ago. */
export const createStepNames = (now = () => Date.now()): ((method: string, path: string) => string) => {
  let latest: { key: string; step: string; at: number } | undefined;
  return (method, path) => {
    const key = `${method} ${path}`;
    const isSame = latest !== undefined && latest.key === key && isTyped(method, path) && now() - latest.at < together;
    const step = isSame && latest !== undefined ? latest.step : newStep();
    latest = { key, step, at: now() };
    return step;
  };
};

const nameStep = createStepNames();

/** Of a request that writes. */
export const windowHeaders = (method: string, url: string, given: Record<string, string>): Record<string, string> => {
  const path = url.split('?')[0] as string;
  // The rest is none that could be undone, and comes between nothing.
  const isStep = /\/(table|trash)\//.test(path);
  return { 'x-window-id': windowName(), ...(isStep ? inStep(given['x-window-step'] ?? nameStep(method, path)) : {}) };
};
