// What did not fit, as a file.
import { csvOf, saveText } from '../../app/save-text.ts';
import type { Misfit } from './await-import.ts';

export const downloadMisfits = (misfits: readonly Misfit[]): void => saveText('did-not-fit.csv', csvOf(['Row', 'Field', 'Value'], misfits.map(({ row, field, value }) => [String(row), field, value])));
