// What the dialog of a field asks for a button.
import { CheckField } from '../../ui/check-field.tsx';
import { Choice } from '../../ui/choice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Pill } from '../cell/pill.tsx';
import { fieldOption } from '../field-types.ts';
import type { FieldForm, FormProps } from '../option/field-form.ts';

const hues = ['teal', 'blue', 'cyan', 'green', 'yellow', 'orange', 'red', 'pink', 'purple', 'gray'];

interface Confirm {
  title?: string;
  description?: string;
  confirmText?: string;
}

/** `{fld…}` → `{Name}`; a field that is gone stays an id. */
const withFieldNames = (address: string, fields: FormProps['fields']): string =>
  address.replaceAll(/\{(fld[0-9A-Za-z]{16})\}/g, (whole, id: string) => {
    const field = fields.find((one) => one.id === id);
    return field === undefined ? whole : `{${field.name}}`;
  });

/** `{Name}` → `{fld…}`; braces around something else stay. */
const withFieldIds = (address: string, fields: FormProps['fields']): string =>
  address.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const field = fields.find((one) => one.name === name.trim());
    return field === undefined ? whole : `{${field.id}}`;
  });

const Address = ({ options, fields, field, onChange, issue }: FormProps) => {
  const others = fields.filter((one) => one.id !== field?.id && one.type !== 'button');
  const url = String(options['url'] ?? '');
  return (
    <>
      <TextField
        label="Address"
        required
        maxLength={2_000}
        placeholder="https://example.com/orders/{Name}"
        value={withFieldNames(url, fields)}
        error={issue('options.url')}
        onChange={(event) => onChange({ ...options, url: withFieldIds(event.target.value, others) })}
      />
      <SelectField
        label="Insert the value of a field"
        value=""
        placeholder="Field…"
        options={others.map(fieldOption)}
        onValue={(id) => onChange({ ...options, url: `${url}{${id}}` })}
      />
      <CheckField
        label="Open in a new tab"
        checked={options['openInNewTab'] !== false}
        onChecked={(openInNewTab) => onChange({ ...options, openInNewTab })}
      />
    </>
  );
};

const Options = (props: FormProps) => {
  const { options, onChange } = props;
  const set = (part: Record<string, unknown>): void => onChange({ ...options, ...part });
  const confirm = options['confirm'] as Confirm | null | undefined;
  const color = String(options['color'] ?? 'teal');
  const most = Number(options['maxCount'] ?? 0);
  return (
    <>
      <TextField
        label="Text on the button"
        required
        maxLength={100}
        value={String(options['label'] ?? 'Button')}
        onChange={(event) => set({ label: event.target.value })}
      />
      <SelectField
        label="Colour"
        value={color}
        options={[...hues, ...(hues.includes(color) ? [] : [color])].map((value) => ({
          value,
          label: value,
          content: <Pill text={value} color={value} />,
        }))}
        onValue={(next) => set({ color: next })}
      />
      <Choice
        label="When it is pressed"
        value={options['action'] === 'openLink' ? 'openLink' : 'workflow'}
        options={[
          { value: 'workflow', label: 'Start an automation' },
          { value: 'openLink', label: 'Open a page' },
        ]}
        onValue={(action) => set({ action })}
      />
      {options['action'] === 'openLink' ? (
        <Address {...props} />
      ) : (
        <p className="text-[13px] text-ink-faint">
          Save it, then make an automation that starts when this button is pressed.
        </p>
      )}
      <Choice
        label="Who may press it"
        value={options['mayPress'] === 'editors' ? 'editors' : 'readers'}
        options={[
          { value: 'readers', label: 'Everyone who sees it' },
          { value: 'editors', label: 'Only editors' },
        ]}
        onValue={(mayPress) => set({ mayPress })}
      />
      <CheckField
        label="Ask before it does anything"
        checked={confirm != null}
        onChecked={(asks) => set({ confirm: asks ? {} : null })}
      />
      {confirm != null && (
        <TextField
          label="Question"
          maxLength={200}
          placeholder="Approve this order?"
          value={confirm.title ?? ''}
          onChange={(event) =>
            set({ confirm: event.target.value === '' ? {} : { ...confirm, title: event.target.value } })
          }
        />
      )}
      <CheckField
        label="Limit how often it is pressed for each record"
        checked={most > 0}
        onChecked={(limits) => set({ maxCount: limits ? 1 : null, resetCount: limits })}
      />
      {most > 0 && (
        <>
          <TextField
            label="Times"
            type="number"
            min={1}
            max={1_000_000}
            value={String(most)}
            onChange={(event) => set({ maxCount: Math.max(1, Math.round(Number(event.target.value))) })}
          />
          <CheckField
            label="Editors can reset the count"
            checked={options['resetCount'] === true}
            onChecked={(resetCount) => set({ resetCount })}
          />
        </>
      )}
    </>
  );
};

export const buttonForm: FieldForm = {
  Options,
  begin: { label: 'Button', color: 'teal' },
  isComplete: ({ label, action, url }) =>
    typeof label === 'string' && label.trim() !== '' && (action !== 'openLink' || String(url ?? '').trim() !== ''),
  places: ['options.url'],
};
