// What must not be, as it is found: the first hundred.

export interface Failures {
  list: string[];
  /** Notes it unless it holds. */
  demand(holds: boolean, what: () => string): void;
  /** Notes each that there is. */
  none(what: string, found: Iterable<unknown>): void;
}

const most = 100;

export const noFailures = (): Failures => {
  const list: string[] = [];
  const add = (text: string): void => {
    if (list.length < most) list.push(text);
  };
  return {
    list,
    demand(holds, what) {
      if (!holds) add(what());
    },
    none(what, found) {
      const all = [...found];
      if (all.length > 0)
        add(
          `${what}: ${all.length}, as ${all
            .slice(0, 5)
            .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
            .join(', ')}`,
        );
    },
  };
};
