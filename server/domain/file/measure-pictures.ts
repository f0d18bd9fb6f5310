// The sizes of pictures that could not be measured when they came. First a file gets its size, so that new cells have it; then the cells that
// mention it already, and the history, from which deleted records come back; then it counts as measured. Killed in between, the next run goes on.
import type { Services } from '../../context.ts';
import type { FileFacts } from './file.ts';
import { noteForm, noteMeasured } from './file.sql.ts';
import { imageForm, type ImageForm, pictureLibrary } from './image.ts';
import { selectBasesOf, selectUnmeasured, updateMentions } from './measure-pictures.sql.ts';

const atOnce = 100;

/** The text of a cell in which pictures have their sizes; quotes inside of strings are escaped, so nothing else looks like a path. */
const withSizes = (text: string, forms: ReadonlyMap<string, ImageForm>): string =>
  text.replace(/"path": ?"table\/(att[0-9A-Za-z]{21})"/g, (whole, token: string) => {
    const form = forms.get(token);
    return form === undefined
      ? whole
      : `"path": "table/${token}.image", "width": ${form.width}, "height": ${form.height}`;
  });

/** Undefined: it could not be read now, and stays for the next run. */
const measure = async (
  { db, files, backgroundErrors }: Services,
  file: Pick<FileFacts, 'token' | 'size' | 'mimetype'>,
): Promise<{ form: ImageForm | undefined } | undefined> => {
  try {
    const form = await imageForm(files.storage, file);
    if (form !== undefined) await noteForm(db, file.token, form);
    return { form };
  } catch (error) {
    backgroundErrors.note('measuring a picture', error);
    return undefined;
  }
};

const mendCells = async (
  { db }: Services,
  forms: ReadonlyMap<string, ImageForm>,
  signal: AbortSignal,
): Promise<void> => {
  // A table that is deleted or converted meanwhile fails the run, and the next one finds things as they are then.
  for (const { baseId, tokens } of await selectBasesOf(db, [...forms.keys()]))
    await updateMentions(db, baseId, tokens, (text) => withSizes(text, forms), signal);
};

export const measurePictures = async (services: Services, signal: AbortSignal): Promise<void> => {
  const { db } = services;
  for (let after = ''; ; ) {
    const found = await selectUnmeasured(db, after, atOnce);
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.token;
    await pictureLibrary.load();
    const forms = new Map<string, ImageForm>();
    const measured: string[] = [];
    for (const file of found) {
      signal.throwIfAborted();
      const result = await measure(services, file);
      if (result === undefined) continue;
      measured.push(file.token);
      if (result.form !== undefined) forms.set(file.token, result.form);
    }
    if (forms.size > 0) await mendCells(services, forms, signal);
    await noteMeasured(db, measured);
  }
};
