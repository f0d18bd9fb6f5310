import type { resetButton as endpoint } from '@rowhouse/contract/button.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedWrite } from '../../pipeline/pipeline.ts';
import { countSteps, type OfCell } from './write-count.ts';

export const resetButton = (request: Unconfirmed, cell: OfCell): Promise<ResponseOf<typeof endpoint>> =>
  guardedWrite(
    request,
    countSteps({
      cell,
      demand(_context, { name, options }) {
        if (options.resetCount !== true)
          throw invalid({
            path: 'fieldId',
            message: `The count of "${name}" is not set back`,
            expected: 'a button field with `resetCount`',
          });
      },
      next: () => null,
      follow: async () => undefined,
      answer: (_context, recordJson) => JSON.parse(recordJson),
    }),
  );
