// Which fields a grant is about: all, or some of them, seen or also changed. What is computed says what it shows.
import type { Field } from '@rowhouse/contract/field.ts';
import { fieldTypeOf, kindOfField } from '../../field-type/field-types.ts';
import { Choice } from '../../ui/choice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { Grant } from './queries.ts';

interface FieldGrantsProps {
  grant: Grant;
  fields: readonly Field[];
  /** Why a computed field is hidden although it is granted. */
  reasonOf: (field: Field) => string | undefined;
  onChange: (grant: Grant) => void;
}

type Level = 'none' | 'read' | 'write';

const withLevel = (list: readonly string[], fieldId: string, isIn: boolean): string[] =>
  isIn ? [...new Set([...list, fieldId])] : list.filter((id) => id !== fieldId);

export const FieldGrants = ({ grant, fields, reasonOf, onChange }: FieldGrantsProps) => {
  const { fields: read = null } = grant;
  const create = grant.create === undefined ? read : grant.create;
  const update = grant.update === undefined ? read : grant.update;
  const writes = grant.actions.includes('record|create') || grant.actions.includes('record|update');
  const isAll = read === null && create === null && update === null;
  const all = fields.map(({ id }) => id);
  const levelOf = ({ id }: Field): Level => {
    if ((update ?? all).includes(id) || (create ?? all).includes(id)) return 'write';
    return (read ?? all).includes(id) ? 'read' : 'none';
  };
  const setLevel = ({ id }: Field, level: Level): void =>
    onChange({
      ...grant,
      fields: withLevel(read ?? all, id, level !== 'none'),
      create: withLevel(create ?? all, id, level === 'write'),
      update: withLevel(update ?? all, id, level === 'write'),
    });
  const { fields: _fields, create: _create, update: _update, ...rest } = grant;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-[13px] font-medium text-ink-soft">Fields</p>
      <div>
        <Choice
          label="Fields"
          value={isAll ? 'all' : 'some'}
          options={[
            { value: 'all', label: 'All, including new ones' },
            { value: 'some', label: 'Only some' },
          ]}
          onValue={(next) => onChange(next === 'all' ? rest : { ...rest, fields: all, create: all, update: all })}
        />
      </div>
      {!isAll && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {fields.map((field) => {
            const { icon: Icon } = fieldTypeOf(kindOfField(field));
            const isComputed = field.isComputed === true || field.isLookup === true;
            const isFixed = isComputed || !writes;
            return (
              <li key={field.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                <Icon size={15} className="shrink-0 text-ink-faint" aria-hidden />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{field.name}</span>
                  {isComputed && levelOf(field) !== 'none' && (
                    <span className="block text-[13px] text-ink-faint">
                      {reasonOf(field) ?? 'Shown where everything that it is computed from may be seen'}
                    </span>
                  )}
                </span>
                <SelectField
                  label={field.name}
                  hideLabel
                  className="w-48"
                  value={isFixed && levelOf(field) === 'write' ? 'read' : levelOf(field)}
                  options={[
                    { value: 'none', label: 'Hidden' },
                    { value: 'read', label: 'Seen' },
                    ...(isFixed ? [] : [{ value: 'write', label: 'Seen and changed' }]),
                  ]}
                  onValue={(level) => setLevel(field, level as Level)}
                />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
};
