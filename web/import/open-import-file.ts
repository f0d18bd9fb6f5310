// Uploads a file to import from, and has it looked at.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { analyzeImport, type ImportFileType } from '@rowhouse/contract/import.ts';
import { call } from '../app/call.ts';
import type { Sheet } from './sheet-preview.tsx';
import { uploadFile } from '../field-type/attachment/upload-file.ts';

export interface ImportFile {
  url: string;
  fileType: ImportFileType;
  worksheets: ResponseOf<typeof analyzeImport>['worksheets'];
}

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** By its name: what browsers say of CSV depends on which programs are installed. */
const typed = (file: File): { fileType: ImportFileType; file: File } => {
  const [fileType, type] = /\.xlsx$/i.test(file.name)
    ? (['excel', xlsx] as const)
    : /\.(json|jsonl|ndjson)$/i.test(file.name)
      ? (['json', 'application/json'] as const)
      : (['csv', 'text/csv'] as const);
  return { fileType, file: new File([file], file.name, { type }) };
};

/** The columns of a sheet when another row holds their names. */
export const sheetWithHeader = async (file: ImportFile, key: string, headerRow: number): Promise<Sheet | undefined> =>
  (await call(analyzeImport, { query: { attachmentUrl: file.url, fileType: file.fileType, headerRow } })).worksheets[
    key
  ];

export const openImportFile = async (
  chosen: File,
  baseId: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<ImportFile> => {
  const { fileType, file } = typed(chosen);
  const { presignedUrl = '' } = await uploadFile(file, baseId, onProgress, signal);
  const { worksheets } = await call(analyzeImport, { query: { attachmentUrl: presignedUrl, fileType }, signal });
  return { url: presignedUrl, fileType, worksheets };
};
