// Where a run stands, as a path: `0`, `1/then/0`, `2/17:100/0` (the first step for the 18th of 100 records). The empty path is the end.
import type { Step } from '@rowhouse/contract/automation-definition.ts';

interface Position {
  list: readonly Step[];
  at: number;
}

const listIn = (step: Step, branch: string): readonly Step[] => {
  if (step.type === 'if') return branch === 'then' ? step.then : (step.else ?? []);
  return step.type === 'forEach' ? step.steps : [];
};

/** From the outermost list to that of the step. */
const placesOf = (steps: readonly Step[], path: string): Position[] => {
  const parts = path.split('/');
  const places: Position[] = [{ list: steps, at: Number(parts[0]) }];
  for (let at = 1; at < parts.length; at += 2) {
    const { list, at: index } = places.at(-1) as Position;
    places.push({ list: listIn(list[index] as Step, parts[at] as string), at: Number(parts[at + 1]) });
  }
  return places;
};

/** Undefined at the end. */
export const stepAt = (steps: readonly Step[], path: string): Step | undefined => {
  if (path === '') return undefined;
  const { list, at } = placesOf(steps, path).at(-1) as Position;
  return list[at];
};

/** Where a run begins. */
export const firstPath = (steps: readonly Step[]): string => (steps.length === 0 ? '' : '0');

/** Behind a step, and what it holds. */
export const pathAfter = (steps: readonly Step[], path: string): string => {
  const parts = path.split('/');
  const { list, at } = placesOf(steps, path).at(-1) as Position;
  if (at + 1 < list.length) return [...parts.slice(0, -1), at + 1].join('/');
  if (parts.length === 1) return '';
  const round = /^(\d+):(\d+)$/.exec(parts.at(-2) as string);
  const around = parts.slice(0, -2).join('/');
  if (round !== null && Number(round[1]) + 1 < Number(round[2]))
    return `${around}/${Number(round[1]) + 1}:${round[2]}/0`;
  return pathAfter(steps, around);
};

export const pathInto = (steps: readonly Step[], path: string, branch: string): string => {
  const step = stepAt(steps, path) as Step;
  return listIn(step, branch).length === 0 ? pathAfter(steps, path) : `${path}/${branch}/0`;
};

/** The rounds of loops around a step, by the id of the loop. */
export const roundsAt = (steps: readonly Step[], path: string): Map<string, number> => {
  const parts = path.split('/');
  const places = placesOf(steps, path);
  const rounds = new Map<string, number>();
  for (let at = 1; at < parts.length; at += 2) {
    const round = /^(\d+):/.exec(parts[at] as string);
    const { list, at: index } = places[(at - 1) / 2] as Position;
    if (round !== null) rounds.set((list[index] as Step).id, Number(round[1]));
  }
  return rounds;
};

/** All steps, also those inside of others, with their places for people: `steps[1].then[0]`. */
export const allSteps = (steps: readonly Step[], at = 'steps'): { step: Step; at: string }[] =>
  steps.flatMap((step, index) => {
    const here = `${at}[${index}]`;
    const inside =
      step.type === 'if'
        ? [...allSteps(step.then, `${here}.then`), ...allSteps(step.else ?? [], `${here}.else`)]
        : step.type === 'forEach'
          ? allSteps(step.steps, `${here}.steps`)
          : [];
    return [{ step, at: here }, ...inside];
  });
