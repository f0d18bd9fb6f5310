import type { View } from '@rowhouse/contract/view.ts';
import { choiceColor } from '../../field-type/cell/choice-color.ts';
import { formOptions, ownPicture } from './form-parts.ts';

export const coverHues = [
  'blue',
  'cyan',
  'teal',
  'green',
  'yellow',
  'orange',
  'red',
  'pink',
  'purple',
  'gray',
] as const;

export const coverStyle = (color: string): { background: string } => ({
  background: `linear-gradient(120deg, ${choiceColor(color).background}, ${choiceColor(color.replace(/(Light2|Light1|Bright|Dark1)?$/, 'Light1')).background})`,
});

/** The band above a form: a picture of this server, or a colour. */
export const FormCover = ({ view }: { view: View }) => {
  const { coverUrl, coverColor } = formOptions(view);
  const picture = ownPicture(coverUrl);
  if (picture !== undefined) return <img src={picture} alt="" className="h-36 w-full object-cover" />;
  return coverColor == null ? null : <div className="h-28 w-full" style={coverStyle(coverColor)} />;
};
