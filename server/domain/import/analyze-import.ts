// GET /import/analyze
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { analyzeImport as endpoint } from '@rowhouse/contract/import.ts';
import type { Context } from '../../context.ts';
import { asText } from '../cell/type/text.ts';
import { guessColumns } from './guess-columns.ts';
import { findSource, firstRows, openSource } from './source.ts';

const rowsLooked = 5_000;
const columnsLooked = 500;
const rowsShown = 10;
const longestShown = 200;

export const analyzeImport = async (
  context: Context,
  { attachmentUrl, fileType, headerRow = 1 }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const source = await openSource(context.files.storage, await findSource(context, attachmentUrl, fileType), fileType);
  try {
    const worksheets: ResponseOf<typeof endpoint>['worksheets'] = {};
    for (const { key, name } of source.sheets) {
      const rows = await firstRows(source.rows(key) as AsyncGenerator<unknown[][]>, rowsLooked, columnsLooked).catch(
        (error: Error) => {
          throw 'code' in error && error.code === 'validation_error'
            ? error
            : invalid({
                path: 'attachmentUrl',
                message: `The file could not be read: ${error.message}`,
                expected: `a file of type ${fileType}`,
              });
        },
      );
      const names = source.names?.();
      const withNames = names === undefined ? rows : [names.slice(0, columnsLooked), ...rows];
      const named =
        names !== undefined || headerRow === 1
          ? withNames
          : headerRow === 0
            ? [[], ...rows]
            : rows.slice(headerRow - 1);
      worksheets[key] = {
        name,
        columns: await guessColumns(named),
        sample: withNames.slice(0, rowsShown).map((row) => row.map((cell) => asText(cell).slice(0, longestShown))),
      };
    }
    return { worksheets };
  } finally {
    await source.close();
  }
};
