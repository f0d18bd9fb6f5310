// A form: editors build it, everybody fills it in.
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { useState } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { FillForm, type FillFormProps } from './fill-form.tsx';
import { FormBuilder } from './form-builder.tsx';

export interface FormViewProps extends Omit<FillFormProps, 'maySubmit'> {
  role: Role;
}

const modes = [
  { value: 'build', label: 'Edit form' },
  { value: 'fill', label: 'Fill in' },
];

export const FormView = ({ role, ...form }: FormViewProps) => {
  const mayBuild = allows(role, 'view|update') && form.view.isLocked !== true;
  const [mode, setMode] = useState('build');
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 sm:p-8">
      {mayBuild && (
        <div className="mx-auto mb-4 flex justify-center print:hidden">
          <Choice label="Form" value={mode} options={modes} onValue={setMode} />
        </div>
      )}
      {mayBuild && mode === 'build' ? <FormBuilder {...form} /> : <FillForm {...form} maySubmit={allows(role, 'record|create')} />}
    </div>
  );
};
