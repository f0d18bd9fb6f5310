// How a form is put together. Every change is saved at once; beside it stands the form as others see it.
import type { FormColumn } from '@rowhouse/contract/form.ts';
import { describeView } from '@rowhouse/contract/view.ts';
import { Plus } from 'lucide-react';
import { useId } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { showProblem } from '../../ui/toast.ts';
import { inputClass } from '../../ui/text-field.tsx';
import { useSortable } from '../../ui/use-sortable.ts';
import { orderBetween } from '../../record-data/columns.ts';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import { viewsQuery } from '../../record-data/queries.ts';
import { useColumnActions } from '../grid/use-column-actions.ts';
import { BuilderField } from './builder-field.tsx';
import { CoverChoice } from './cover-choice.tsx';
import type { FillFormProps } from './fill-form.tsx';
import { fieldsLeft, fieldsOfForm, formColumn, formOptions } from './form-parts.ts';
import { SavedText } from './saved-text.tsx';

const bareClass =
  'w-full rounded-lg border border-transparent bg-transparent px-2 py-1 -mx-2 hover:border-line focus:border-accent focus:outline-none';

export interface FormBuilderProps extends Pick<FillFormProps, 'view' | 'fields' | 'people'> {
  tableId: string;
}

export const FormBuilder = ({ tableId, view, fields, people }: FormBuilderProps) => {
  const id = useId();
  const { setMeta, setOptions } = useColumnActions(tableId, view, []);
  const options = formOptions(view);
  const inForm = fieldsOfForm(view, fields);
  const left = fieldsLeft(view, fields);
  const setColumn = (fieldId: string, change: Partial<FormColumn>): void => setMeta({ [fieldId]: change as never });
  const orderOf = (at: number): number | undefined =>
    inForm[at] === undefined ? undefined : (formColumn(view, inForm[at].id).order ?? Number.MAX_SAFE_INTEGER);

  const describe = async (text: string): Promise<void> => {
    try {
      await call(describeView, {
        params: { tableId, viewId: view.id },
        body: { description: text === '' ? null : text },
      });
      await queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
    } catch (error) {
      showProblem(error, 'The description was not saved.');
    }
  };
  /** Puts a field before the one at `place`; both counted without it. */
  const place = (fieldId: string, at: number): void => {
    const rest = inForm.filter((field) => field.id !== fieldId);
    const order = (index: number): number | undefined =>
      rest[index] === undefined ? undefined : formColumn(view, rest[index].id).order;
    setColumn(fieldId, { order: orderBetween(order(at - 1), order(at)), visible: true });
  };
  const { propsOf, handleOf } = useSortable({
    ids: inForm.map((field) => field.id),
    nameOf: (fieldId) => inForm.find((field) => field.id === fieldId)?.name ?? '',
    hasHandle: true,
    onMove: (fieldId, { anchorId, position }) => {
      const at = inForm.filter((field) => field.id !== fieldId).findIndex((field) => field.id === anchorId);
      place(fieldId, position === 'before' ? at : at + 1);
    },
  });

  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6">
      <section aria-label="Form" className="overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
        <CoverChoice view={view} onColor={(coverColor) => setOptions({ coverColor })} />
        <div className="flex flex-col gap-4 p-5 sm:p-8">
          <div>
            <SavedText
              label="Title of the form"
              className={`${bareClass} text-2xl font-semibold tracking-tight`}
              placeholder={view.name}
              maxLength={255}
              value={options.title ?? ''}
              onSave={(title) => setOptions({ title })}
            />
            <SavedText
              label="Description of the form"
              multiline
              className={`${bareClass} text-ink-soft`}
              placeholder="Add a description"
              maxLength={10_000}
              value={view.description ?? ''}
              onSave={(text) => void describe(text.trim())}
            />
          </div>
          <ul aria-label="Fields of the form" className="-my-1 flex flex-col">
            {inForm.map((field, at) => (
              <BuilderField
                key={field.id}
                field={field}
                column={formColumn(view, field.id)}
                above={inForm.slice(0, at)}
                people={people}
                item={propsOf(field.id)}
                handle={handleOf(field.id)}
                isFirst={at === 0}
                isLast={at === inForm.length - 1}
                onColumn={(change) => setColumn(field.id, change)}
                onMove={(by) => place(field.id, at + by)}
              />
            ))}
          </ul>
          {inForm.length === 0 && <p className="text-ink-soft">The form has no fields yet. Add some below.</p>}
          <div className="flex flex-col gap-1.5">
            <label htmlFor={`${id}-submit`} className="text-[13px] font-medium text-ink-soft">
              Button text
            </label>
            <SavedText
              id={`${id}-submit`}
              label="Button text"
              maxLength={255}
              placeholder="Submit"
              value={options.submitLabel ?? ''}
              onSave={(submitLabel) => setOptions({ submitLabel })}
            />
          </div>
        </div>
      </section>

      {left.length > 0 && (
        <section aria-label="Fields that are not in the form">
          <h3 className="mb-2 text-[13px] font-medium text-ink-soft">Not in the form</h3>
          <ul className="flex flex-wrap gap-2">
            {left.map((field) => {
              const { icon: Icon } = fieldTypeOf(field.type);
              return (
                <li key={field.id}>
                  <button
                    type="button"
                    aria-label={`Add ${field.name} to the form`}
                    onClick={() =>
                      setColumn(field.id, { visible: true, order: (orderOf(inForm.length - 1) ?? -1) + 1 })
                    }
                    className="flex max-w-60 items-center gap-1.5 rounded-lg border border-dashed border-line-strong px-2.5 py-1.5 hover:border-accent hover:bg-surface"
                  >
                    <Plus size={14} className="shrink-0 text-ink-faint" aria-hidden />
                    <Icon size={14} className="shrink-0 text-ink-faint" aria-hidden />
                    <span className="truncate">{field.name}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        </section>
      )}

      <section
        aria-label="After submitting"
        className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8"
      >
        <h3 className="font-semibold">After submitting</h3>
        <SavedText
          label="Title of the thank-you page"
          maxLength={255}
          placeholder="Thank you"
          value={options.thanksTitle ?? ''}
          onSave={(thanksTitle) => setOptions({ thanksTitle })}
        />
        <SavedText
          label="Text of the thank-you page"
          multiline
          className={inputClass}
          maxLength={10_000}
          placeholder="Your response was saved."
          value={options.thanksText ?? ''}
          onSave={(thanksText) => setOptions({ thanksText })}
        />
        <div className="flex items-center gap-2.5">
          <input
            id={`${id}-another`}
            type="checkbox"
            checked={options.isAnotherHidden !== true}
            onChange={(event) => setOptions({ isAnotherHidden: !event.target.checked })}
          />
          <label htmlFor={`${id}-another`}>Let people submit another response</label>
        </div>
      </section>
    </div>
  );
};
