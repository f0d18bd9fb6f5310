// A rule often has many cases: sixteen types to convert from, every role at every endpoint. `npm test` takes at least one
// of each kind; `npm run proof -- cases` runs the same tests with all of them (ADR 92).

export const withAllCases = process.env['TEST_CASES'] === 'all';

/** All cases in the proof; those that stand for them in `npm test`. */
export const cases = <T>(all: readonly T[], some: readonly NoInfer<T>[]): T[] => [...(withAllCases ? all : some)];

/**
 * `onlyInProof(test)(…)`: a test that the proof alone runs. For what takes long, where its rule is held by a test beneath it and
 * its place in the whole is seen by another one of \`npm test\`: ADR 120 says which.
 */
export const onlyInProof = <T extends (...given: never[]) => unknown>(test: T): T =>
  withAllCases ? test : ((() => undefined) as unknown as T);

/** How many rounds, clients or records: this many in the proof, fewer in `npm test`. */
export const howMany = (inProof: number, inTests: number): number => (withAllCases ? inProof : inTests);
