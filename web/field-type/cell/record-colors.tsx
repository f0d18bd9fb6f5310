// The colours that the rules of a view give to records and their cells, for everything that draws records.
import {
  colorRulesOf,
  colorsOf,
  decidingFields,
  type Paint,
  type RecordColors,
} from '@rowhouse/contract/color-rule.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Me } from '../../app/me.ts';
import { meKey, queryClient } from '../../app/query-client.ts';
import { resolvedTheme } from '../../ui/theme.ts';
import { choiceColor } from './choice-color.ts';

interface Colors {
  /** By what the cells hold on the screen, which may not be saved yet. */
  of: (valueOf: (fieldId: string) => unknown) => RecordColors;
  /** What has to be read of a record to know them. */
  fieldIds: readonly string[];
}

const none: RecordColors = { cells: new Map() };
const noColors: Colors = { of: () => none, fieldIds: [] };
const Context = createContext<Colors>(noColors);

export const useColors = (): Colors => useContext(Context);

export const ViewColors = ({
  view,
  fields,
  children,
}: {
  view: View;
  fields: readonly Field[];
  children: ReactNode;
}) => {
  const { options } = view;
  const colors = useMemo((): Colors => {
    const rules = colorRulesOf({ options });
    if (rules.length === 0) return noColors;
    const known = new Map(
      fields.map((field) => [field.id, { ...field, isMultiple: field.isMultipleCellValue === true }]),
    );
    const fieldIds = [...new Set(rules.flatMap(decidingFields))].filter((id) => known.has(id));
    return {
      fieldIds,
      of: (valueOf) => {
        const cells = Object.fromEntries(fieldIds.map((id) => [id, valueOf(id)]));
        const userId = queryClient.getQueryData<Me | null>(meKey)?.id ?? '';
        return colorsOf(rules, known, cells, { userId, now: new Date() });
      },
    };
  }, [options, fields]);
  return <Context value={colors}>{children}</Context>;
};

/** Pale on a light page, dark on a dark one, so that text in the usual ink can be read on it. */
const baseOf = (color: string): string =>
  choiceColor(color.replace(/(Light2|Light1|Bright|Dark1)?$/, resolvedTheme() === 'dark' ? 'Dark1' : 'Bright'))
    .background;

const shareOf = ({ strength }: Paint, on: 'row' | 'cell'): number =>
  strength === undefined ? (on === 'row' ? 0.4 : 0.8) : 0.06 + 0.84 * strength;

/** As a background of the page's own elements. */
export const tint = (
  paint: Paint | undefined,
  on: 'row' | 'cell',
): { background: string; printColorAdjust: 'exact' } | undefined => {
  if (paint === undefined) return undefined;
  const share = Math.round(100 * shareOf(paint, on));
  return {
    background: `color-mix(in srgb, ${baseOf(paint.color)} ${share}%, var(--surface))`,
    printColorAdjust: 'exact',
  };
};

const solid = new Map<string, string>();

/** The same for a canvas, whose library reads no mixtures. */
export const solidTint = (paint: Paint, on: 'row' | 'cell'): string => {
  const key = `${paint.color} ${paint.strength?.toFixed(2)} ${on} ${resolvedTheme()}`;
  let found = solid.get(key);
  if (found === undefined) {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1, 1];
    const draw = canvas.getContext('2d') as CanvasRenderingContext2D;
    draw.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim();
    draw.fillRect(0, 0, 1, 1);
    draw.globalAlpha = shareOf(paint, on);
    draw.fillStyle = baseOf(paint.color);
    draw.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = draw.getImageData(0, 0, 1, 1).data;
    found = `rgb(${red}, ${green}, ${blue})`;
    solid.set(key, found);
  }
  return found;
};

/** Of a card, whose cells are those that were read. */
export const useCardColors = (record: RecordVo): RecordColors => {
  const colors = useColors();
  return colors.of((fieldId) => record.fields[fieldId]);
};
