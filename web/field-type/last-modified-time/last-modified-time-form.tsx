import { DateOptions } from '../date/date-options.tsx';
import type { FieldForm, FormProps } from '../option/field-form.ts';
import { TrackedFields } from './tracked-fields.tsx';

const Options = ({ fields, options, onChange }: FormProps) => (
  <>
    <DateOptions options={options} onChange={onChange} />
    <TrackedFields fields={fields} options={options} onChange={onChange} />
  </>
);

export const lastModifiedTimeForm: FieldForm = { Options };

export const lastModifiedByForm: FieldForm = { Options: TrackedFields };
