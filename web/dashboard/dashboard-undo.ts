// What somebody has done to a dashboard in this window, and how to take it back. An item that comes back has another id: later steps
// about it are told by `nameAgain`.
interface Step {
  /** "Chart deleted": said when it is undone. */
  label: string;
  undo: () => Promise<unknown>;
  redo: () => Promise<unknown>;
}

interface DashboardUndo {
  did(step: Step): void;
  /** Answers what was undone. */
  undo(): Promise<string | undefined>;
  redo(): Promise<string | undefined>;
  /** The present id of an item. */
  idOf(id: string): string;
  nameAgain(id: string, now: string): void;
}

const most = 100;

export const createDashboardUndo = (): DashboardUndo => {
  let done: Step[] = [];
  let undone: Step[] = [];
  const names = new Map<string, string>();
  // One after the other: a second press waits for the first.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    did(step) {
      done = [...done, step].slice(-most);
      undone = [];
    },
    undo: () =>
      inTurn(async () => {
        const step = done.at(-1);
        if (step === undefined) return undefined;
        await step.undo();
        done = done.filter((one) => one !== step);
        undone = [...undone, step];
        return step.label;
      }),
    redo: () =>
      inTurn(async () => {
        const step = undone.at(-1);
        if (step === undefined) return undefined;
        await step.redo();
        undone = undone.filter((one) => one !== step);
        done = [...done, step];
        return step.label;
      }),
    idOf(id) {
      let now = id;
      for (let next = names.get(now); next !== undefined; next = names.get(now)) now = next;
      return now;
    },
    nameAgain: (id, now) => void names.set(id, now),
  };
};
