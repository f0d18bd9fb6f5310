// The top of a card: the first picture of a field of files, and a band in the colour of what a select field says.
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { NewView, View } from '@rowhouse/contract/view.ts';
import { classNames } from '../../ui/class-names.ts';
import { choiceColor } from '../../field-type/cell/choice-color.ts';
import { choicesOf, filesOf, listOf, pathOf } from '../../field-type/cell/cell-parts.ts';

export interface Cover {
  color: Field | undefined;
  picture: Field | undefined;
  /** The whole picture, rather than as much as fills the width. */
  isFit: boolean;
}

export const colorFields = (fields: readonly Field[]): Field[] => fields.filter((field) => kindOf(field) === 'choice');

export const pictureFields = (fields: readonly Field[]): Field[] => fields.filter((field) => kindOf(field) === 'file');

export const coverOf = ({ options }: View, fields: readonly Field[]): Cover => ({
  color: colorFields(fields).find(({ id }) => id === options['colorFieldId']),
  picture: pictureFields(fields).find(({ id }) => id === options['coverFieldId']),
  isFit: options['isCoverFit'] === true,
});

/** What has to be read of a record to show its card; `colors`: what its colour depends on. */
export const fieldsOfCard = (
  fields: readonly Field[],
  { color, picture }: Cover,
  colors: readonly string[],
): string[] => [...new Set([...[...fields, color, picture].flatMap((field) => field?.id ?? []), ...colors])];

/** A band is thin: the pale colours of pills would hardly be seen. */
const bright = (color: string): string => color.replace(/(Light2|Light1|Bright|Dark1)?$/, 'Bright');

const Band = ({ record, field }: { record: RecordVo; field: Field }) => {
  const names = listOf(record.fields[field.id]);
  const colors = choicesOf(field)
    .filter(({ name }) => names.includes(name))
    .map(({ color }) => choiceColor(bright(color)).background);
  if (colors.length === 0) return <div className="h-1.5 bg-sunken" />;
  return (
    <div
      className="h-1.5"
      style={{
        background:
          colors.length === 1
            ? colors[0]
            : `linear-gradient(90deg, ${colors.map((color, at) => `${color} ${(100 * at) / colors.length}% ${(100 * (at + 1)) / colors.length}%`).join(', ')})`,
      }}
    />
  );
};

const Picture = ({ record, field, isFit }: { record: RecordVo; field: Field; isFit: boolean }) => {
  const file = filesOf(record.fields[field.id]).find(({ lgThumbnailUrl }) => lgThumbnailUrl !== undefined);
  if (file?.lgThumbnailUrl === undefined) return null;
  return (
    <img
      src={pathOf(file.lgThumbnailUrl)}
      alt={file.name}
      loading="lazy"
      draggable={false}
      className={classNames('h-40 w-full bg-sunken', isFit ? 'object-contain' : 'object-cover')}
    />
  );
};

export const CardCover = ({ record, cover: { color, picture, isFit } }: { record: RecordVo; cover: Cover }) => (
  <>
    {color !== undefined && <Band record={record} field={color} />}
    {picture !== undefined && <Picture record={record} field={picture} isFit={isFit} />}
  </>
);

const shownOnCards = 5;

/** The fields that a new view of cards shows. */
export const onCards = (fields: readonly Field[]): NonNullable<NewView['columnMeta']> =>
  Object.fromEntries(fields.slice(0, shownOnCards).map(({ id }, order) => [id, { order, visible: true }]));
