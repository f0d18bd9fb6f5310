import { isUsedUp } from '@rowhouse/contract/button.ts';
import { MousePointerClick } from 'lucide-react';
import { buttonOptions } from '../cell/button-words.ts';
import { type FieldTypeEntry, refuse } from '../field-type.ts';

export const button: FieldTypeEntry = {
  label: 'Button',
  meaning: 'Starts an automation or opens a page',
  icon: MousePointerClick,
  text: () => '',
  show(field, value) {
    const { label, color, maxCount } = buttonOptions(field);
    return { as: 'pressable', label, color, isUsedUp: isUsedUp(maxCount === undefined ? {} : { maxCount }, value) };
  },
  read: (_field, text) => refuse(text, 'cannot be written into a button. It is pressed.'),
  isPressed: true,
  valueKind: 'button',
};
