// Parts that the server can run without. One that cannot be loaded is an error in the log, in `/health` and in `rowhouse doctor`; what needs
// it is put off or answered with 503, and never with "there is nothing".
import { ApiError } from '@rowhouse/contract/error.ts';

export interface OptionalPart<T> {
  /** As `/health` names it. */
  readonly name: string;
  /** What does not work without it, for people who operate the server. */
  readonly without: string;
  /** Throws `PartMissing`. The next call tries again. */
  load(): Promise<T>;
  /** Why the last try failed; undefined: it did not. */
  fault(): PartMissing | undefined;
}

class PartMissing extends ApiError {
  constructor(name: string, without: string, cause: unknown) {
    super('service_unavailable', `The part "${name}" of the server cannot be loaded: ${without}`);
    this.cause = cause;
  }
}

export const optionalPart = <T>({
  name,
  without,
  load,
}: Pick<OptionalPart<T>, 'name' | 'without' | 'load'>): OptionalPart<T> => {
  let fault: PartMissing | undefined;
  return {
    name,
    without,
    fault: () => fault,
    async load() {
      try {
        const part = await load();
        fault = undefined;
        return part;
      } catch (error) {
        fault = new PartMissing(name, without, error);
        throw fault;
      }
    },
  };
};
