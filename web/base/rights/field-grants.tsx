// Which fields a grant is about: all, or some of them, seen or also changed. What is computed says what it shows.
import type { Field } from '@rowhouse/contract/field.ts';
import type { HiddenField } from '@rowhouse/contract/rights-explained.ts';
import { fieldTypeOf, kindOfField } from '../../field-type/field-types.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { Grant } from './queries.ts';
import { sourcesWords } from './who-words.ts';

interface FieldGrantsProps {
  grant: Grant;
  fields: readonly Field[];
  /** Why a computed field is hidden although it is granted. */
  reasonOf: (field: Field) => string | undefined;
  /** What of it is hidden with the grants as they are chosen, and what would have to be revealed. Absent before the server has said so. */
  hiddenFields: readonly HiddenField[] | undefined;
  onChange: (grant: Grant) => void;
}

type Level = 'none' | 'read' | 'write';

const withLevel = (list: readonly string[], fieldId: string, isIn: boolean): string[] =>
  isIn ? [...new Set([...list, fieldId])] : list.filter((id) => id !== fieldId);

/** Says what would be shown, before it is. */
const Reveal = ({
  name,
  hidden,
  onReveal,
}: {
  name: string;
  hidden: HiddenField | undefined;
  onReveal: (ids: readonly string[]) => void;
}) =>
  hidden === undefined ? null : (
    <span className="flex w-full flex-wrap items-center gap-x-2 pl-7 text-[13px] text-ink-soft">
      <span className="min-w-0">It would tell of {sourcesWords(hidden.hiddenBy)}.</span>
      <Button
        size="small"
        look="ghost"
        onClick={() => onReveal(hidden.reveals)}
        aria-label={`Show it all the same: ${name}`}
      >
        Show it all the same
      </Button>
    </span>
  );

export const FieldGrants = ({ grant, fields, reasonOf, hiddenFields, onChange }: FieldGrantsProps) => {
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
  const { fields: _fields, create: _create, update: _update, reveals = [], ...rest } = grant;
  const hiddenOf = ({ id }: Field): HiddenField | undefined => hiddenFields?.find(({ fieldId }) => fieldId === id);
  const noteOn = (field: Field): string => {
    if (reveals.length > 0 && hiddenFields !== undefined && hiddenOf(field) === undefined)
      return 'Shown, also where something that it is computed from is hidden';
    return reasonOf(field) ?? 'Shown where everything that it is computed from may be seen';
  };
  const { reveals: _reveals, ...withoutReveals } = grant;
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
                <span className="min-w-0 flex-1 truncate">{field.name}</span>
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
                {isComputed && levelOf(field) !== 'none' && (
                  <span className="w-full pl-7 text-[13px] text-ink-faint">{noteOn(field)}</span>
                )}
                {levelOf(field) !== 'none' && (
                  <Reveal
                    name={field.name}
                    hidden={hiddenOf(field)}
                    onReveal={(more) => onChange({ ...grant, reveals: [...new Set([...reveals, ...more])] })}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {!isAll && reveals.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 text-[13px] text-ink-soft">
          <span className="min-w-0 flex-1">Computed fields above show something that is hidden itself.</span>
          <Button size="small" look="ghost" onClick={() => onChange(withoutReveals)}>
            Hide it again
          </Button>
        </div>
      )}
    </div>
  );
};
