// What is drawn of values that are shown in another way, told by what the canvas is asked for.
import type { BaseDrawArgs } from '@glideapps/glide-data-grid';
import { expect, test } from 'vitest';
import { drawField } from './draw-field.ts';
import { drawLink } from './draw-link.ts';
import type { FieldCell } from './field-cell.ts';
import { drawMeter, meterOf } from './draw-meter.ts';
import { drawPills } from './draw-pills.ts';
import { drawSeries, seriesOf } from './draw-series.ts';

const recorder = () => {
  const asked: [string, ...unknown[]][] = [];
  const known: Record<string, unknown> = { measureText: (text: string) => ({ width: text.length * 10 }) };
  const ctx = new Proxy(known, {
    get: (target, name: string) => target[name] ?? ((...given: unknown[]) => void asked.push([name, ...given])),
    set: (target, name: string, value) => {
      target[name] = value;
      return true;
    },
  });
  const theme = {
    cellHorizontalPadding: 8,
    cellVerticalPadding: 3,
    borderColor: 'grey',
    textDark: 'black',
    linkColor: 'blue',
    baseFontFull: '13px x',
  };
  const args = { ctx, rect: { x: 100, y: 50, width: 116, height: 32 }, theme } as unknown as BaseDrawArgs;
  return { args, known, of: (name: string) => asked.filter(([one]) => one === name).map(([, ...given]) => given) };
};

const bar = { showAs: { type: 'bar', color: 'red', showValue: false, maxValue: 200 } };

test('a number as a bar fills its share of the cell, from nothing to all of it', () => {
  for (const [value, width] of [
    [100, 50],
    [0, undefined],
    [-5, undefined],
    [500, 100],
  ] as const) {
    const { args, of } = recorder();
    drawMeter(args, value, String(value), meterOf(bar) as NonNullable<ReturnType<typeof meterOf>>);
    expect(of('roundRect').map(([x, , width]) => [x, width])).toEqual(
      width === undefined
        ? [[108, 100]]
        : [
            [108, 100],
            [108, width],
          ],
    );
    expect(of('fillText')).toEqual([]);
  }
});

test('a number as a ring closes with its largest value, and its text stands beside it', () => {
  const { args, of } = recorder();
  drawMeter(
    args,
    50,
    '50%',
    meterOf({ showAs: { type: 'ring', color: 'red', showValue: true, maxValue: 100 } }) as NonNullable<
      ReturnType<typeof meterOf>
    >,
  );
  expect(of('arc').map((given) => (Number(given[4]) - Number(given[3])) / Math.PI)).toEqual([2, 1]);
  expect(of('fillText').map(([text]) => text)).toEqual(['50%']);
});

test('a list of numbers as bars stands on zero', () => {
  const { args, of } = recorder();
  drawSeries(
    args,
    [10, -10],
    seriesOf({ showAs: { type: 'bar', color: 'red' } }) as NonNullable<ReturnType<typeof seriesOf>>,
  );
  expect(of('fillRect')).toEqual([
    [108, 56, 48, 10],
    [158, 66, 48, 10],
  ]);
});

test('a list of numbers as a line goes through each of them, over the whole cell', () => {
  const { args, of } = recorder();
  drawSeries(args, [0, 10, 5], { type: 'line', color: 'red' });
  expect([of('moveTo'), of('lineTo')]).toEqual([
    [[108, 76]],
    [
      [158, 56],
      [208, 66],
    ],
  ]);
  const alone = recorder();
  drawSeries(alone.args, [3], { type: 'line', color: 'red' });
  expect(alone.of('lineTo')).toEqual([[208, 56]]);
  expect([seriesOf({}), seriesOf({ showAs: { type: 'ring' } }), meterOf({ showAs: { type: 'url' } })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a link has the colour of links, and a line below its text', () => {
  const { args, known, of } = recorder();
  drawLink(args, 'example', () => undefined);
  expect(known['strokeStyle']).toBe('blue');
  expect([of('moveTo')[0]?.[0], of('lineTo')[0]?.[0]]).toEqual([108, 178]);
});

test('what a formula gives is drawn as its field says: a bar, a line, a link, or the text', () => {
  const draw = (field: object, value: unknown) => {
    const { args, of, known } = recorder();
    const cell = { copyData: String(value), data: { field: { type: 'formula', ...field }, value } };
    drawField(args, cell as unknown as FieldCell);
    return { bars: of('roundRect').length, lines: of('lineTo').length, color: known['fillStyle'] };
  };
  expect(draw({ options: bar }, 100).bars).toBe(2);
  const line = { cellValueType: 'number', options: { showAs: { type: 'line', color: 'red' } } };
  expect(draw(line, [1, 2, 3]).lines).toBeGreaterThan(0);
  const site = { cellValueType: 'string', options: { showAs: { type: 'url' } } };
  expect(draw(site, 'example.org').color).toBe('blue');
  expect(draw(site, 'two words')).toMatchObject({ bars: 0, lines: 0 });
  expect(draw(site, 'two words').color).not.toBe('blue');
});

test('labels that have no room end with an ellipsis, and one without room for that is not begun', () => {
  const pill = (text: string) => ({ text, background: 'grey', color: 'black' });
  const drawn = (...texts: string[]): unknown[] => {
    const { args, of } = recorder();
    drawPills(args, texts.map(pill));
    return of('fillText').map(([text]) => text);
  };
  // 100 px: a label takes 18 beside its text, a letter 10, and 5 stand between two.
  expect(drawn('Invoice 147')).toEqual(['Invoice…']);
  expect(drawn('abc', 'defgh')).toEqual(['abc', 'de…']);
  expect(drawn('abcdef', 'defgh')).toEqual(['abcdef']);
  expect(drawn('abc', 'd')).toEqual(['abc', 'd']);
});
