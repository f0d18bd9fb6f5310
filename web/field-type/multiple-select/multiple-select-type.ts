import type { Field } from '@rowhouse/contract/field.ts';
import { ListChecks } from 'lucide-react';
import { choicesOf, listOf } from '../cell/cell-parts.ts';
import { joinNames, namesIn } from '../cell/names-in.ts';
import { type Draft, type FieldTypeEntry, fits } from '../field-type.ts';
import { choiceCells, chosenNames, hasChoice, notAmong } from '../single-select/single-select-type.ts';

const readChoices = (field: Field, names: readonly string[], text: string): Draft => {
  const chosen = chosenNames(field, names);
  return chosen === undefined ? notAmong(field, text) : fits(chosen.length === 0 ? null : chosen);
};

export const multipleSelect: FieldTypeEntry = {
  label: 'Tags',
  meaning: 'Several choices from a list',
  icon: ListChecks,
  ...choiceCells,
  text: (_field, value) => joinNames(listOf(value).map(String)),
  read: (field, text) => readChoices(field, namesIn(text), text),
  readValue: (field, value, text) => readChoices(field, listOf(value).map(String), text),
  readAddress: (field, text) => {
    const names = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => hasChoice(field, name));
    return names.length === 0 ? undefined : names;
  },
  example: (field) => {
    const [first] = choicesOf(field);
    return first === undefined ? undefined : [first.name];
  },
};
