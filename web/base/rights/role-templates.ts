// Three roles that many bases need, for the fields that a base has. What they make is shown and can be changed before anybody has it.
import { type GrantAction, grantActions } from '@rowhouse/contract/authority-matrix.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { Grant } from './queries.ts';

export interface TemplateTable {
  id: string;
  fields: readonly Pick<Field, 'id' | 'type' | 'isLookup' | 'isMultipleCellValue' | 'options' | 'isComputed'>[];
}

interface RoleTemplate {
  id: 'department' | 'client' | 'approval' | 'empty';
  name: string;
  meaning: string;
  grantsOf(table: TemplateTable): Grant[];
}

const reading: GrantAction[] = ['record|read', 'record|comment', 'table|export'];
const changing: GrantAction[] = ['record|create', 'record|update', 'record|delete', 'record|copy'];

const ownerOf = ({ fields }: TemplateTable) =>
  fields.find(({ type, isLookup }) => isLookup !== true && (type === 'user' || type === 'createdBy'));

const isMine = ({ id, isMultipleCellValue }: TemplateTable['fields'][number]): NonNullable<Grant['when']> => ({
  conjunction: 'and',
  filterSet: [
    isMultipleCellValue === true
      ? { fieldId: id, operator: 'hasAnyOf', value: ['me'] }
      : { fieldId: id, operator: 'is', value: 'me' },
  ],
});

/** The last choice of the first select field is what is approved or done, in nearly all lists of states. */
const stateOf = ({ fields }: TemplateTable) => {
  const field = fields.find(({ type, isLookup }) => isLookup !== true && type === 'singleSelect');
  const choices = (field?.options as { choices?: { name: string }[] } | undefined)?.choices ?? [];
  const last = choices.at(-1)?.name;
  return field === undefined || last === undefined ? undefined : { field, last };
};

export const roleTemplates: readonly RoleTemplate[] = [
  {
    id: 'department',
    name: 'Department',
    meaning: 'Sees all records and changes their own: those where the person field is the member.',
    grantsOf(table) {
      const owner = ownerOf(table);
      if (owner === undefined) return [{ actions: reading }];
      return [
        { actions: reading },
        { actions: changing, when: isMine(owner), memo: 'You can change your own records.' },
      ];
    },
  },
  {
    id: 'client',
    name: 'Client portal',
    meaning:
      'Sees and comments on their own records only, and exports nothing. Tables without a person field are hidden.',
    grantsOf(table) {
      const owner = ownerOf(table);
      return owner === undefined ? [] : [{ actions: ['record|read', 'record|comment'], when: isMine(owner) }];
    },
  },
  {
    id: 'approval',
    name: 'Approval',
    meaning: 'Changes records until they reach the last choice of their state, and cannot set that choice.',
    grantsOf(table) {
      const state = stateOf(table);
      if (state === undefined) return [{ actions: [...grantActions] }];
      const open: NonNullable<Grant['when']> = {
        conjunction: 'and',
        filterSet: [{ fieldId: state.field.id, operator: 'isNot', value: state.last }],
      };
      return [
        { actions: reading },
        { actions: changing, when: open, after: open, memo: `Only others can make this ${state.last}.` },
      ];
    },
  },
  { id: 'empty', name: 'Empty', meaning: 'Sees nothing yet.', grantsOf: () => [] },
];
