// A form: editors build it, everybody fills it in.
import { allows, type Standing } from '../../app/standing.ts';
import { useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { useMe } from '../../app/me.ts';
import { Choice } from '../../ui/choice.tsx';
import { FillForm } from './fill-form.tsx';
import { FormBuilder, type FormBuilderProps } from './form-builder.tsx';

interface FormViewProps extends FormBuilderProps {
  role: Standing;
}

const modes = [
  { value: 'build', label: 'Edit form' },
  { value: 'fill', label: 'Fill in' },
];

export const FormView = ({ role, ...form }: FormViewProps) => {
  const mayBuild = useMayChangeView(form.view, role);
  const [mode, setMode] = useState('build');
  const { id: userId } = useMe();
  const { tableId, view } = form;
  const submit = async (fields: Record<string, unknown>): Promise<void> =>
    void (await call(submitForm, { params: { tableId }, body: { viewId: view.id, fields } }));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 sm:p-8">
      {mayBuild && (
        <div className="mx-auto mb-4 flex justify-center print:hidden">
          <Choice label="Form" value={mode} options={modes} onValue={setMode} />
        </div>
      )}
      {mayBuild && mode === 'build' ? (
        <FormBuilder {...form} />
      ) : (
        <FillForm
          view={view}
          fields={form.fields}
          people={form.people}
          userId={userId}
          maySubmit={allows(role, 'record|create')}
          onSubmit={submit}
        />
      )}
    </div>
  );
};
