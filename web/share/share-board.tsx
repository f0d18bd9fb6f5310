// A shared board: the columns of the app's own, without moving cards.
import { getGroupPoints } from '@rowhouse/contract/aggregation.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { listShareCollaborators, listShareLinkRecords } from '@rowhouse/contract/share.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { SquareKanban } from 'lucide-react';
import { call } from '../app/call.ts';
import { choicesOf } from '../field-type/cell/cell-parts.ts';
import { isHidden, orderedFields } from '../record-data/columns.ts';
import { KanbanColumn } from '../view-type/kanban/kanban-column.tsx';
import { mostStacks, type Stack, stackFieldOf, stacksOfPeople } from '../view-type/kanban/use-stacks.ts';
import { linkTitle } from '../field-type/link/linked.ts';
import { recordsKey } from '../record-data/queries.ts';
import { coverOf } from '../view-type/card/card-cover.tsx';
import { MissingField } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { ask } from './ask.ts';

interface ShareBoardProps {
  shareId: string;
  isOfBase: boolean;
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  onOpen: (recordId: string) => void;
}

const isReference = (value: unknown): value is { id: string; title?: string } =>
  typeof value === 'object' && value !== null && 'id' in value;

/** Of a link and of a person those that a record of the view has: of others visitors know nothing. */
const useShareStacks = (
  { shareId, isOfBase, tableId, view }: ShareBoardProps,
  field: Field | undefined,
): readonly Stack[] | undefined => {
  const fieldId = field?.id ?? '';
  const isLink = field?.type === 'link';
  const isPerson = field?.type === 'user';
  const found = useQuery({
    queryKey: [...recordsKey(tableId), 'stacks', view.id, view.filter, fieldId],
    queryFn: async ({ signal }): Promise<{ id: string; title?: string | undefined }[]> => {
      if (isOfBase) {
        const groupBy = JSON.stringify([{ fieldId, order: 'asc' }]);
        const points = await call(getGroupPoints, { params: { tableId }, query: { viewId: view.id, groupBy }, signal });
        return points.flatMap((point) => (point.type === 0 && isReference(point.value) ? [point.value] : []));
      }
      if (isLink)
        return ask(listShareLinkRecords, { params: { shareId }, query: { fieldId, take: mostStacks }, signal });
      const people = await ask(listShareCollaborators, { params: { shareId }, query: { fieldId }, signal });
      return people.map(({ userId, userName }) => ({ id: userId, title: userName }));
    },
    enabled: isLink || isPerson,
  }).data;
  if (field === undefined) return [];
  if (!isLink && !isPerson)
    return choicesOf(field)
      .slice(0, mostStacks)
      .map(({ name, color }) => ({ key: name, name, color }));
  if (isPerson) return found && stacksOfPeople(found.map(({ id, title = '' }) => ({ id, name: title })));
  return found?.slice(0, mostStacks).map(({ id, title }) => ({
    key: id,
    name: linkTitle(title === undefined ? {} : { title }),
    color: 'grayLight1',
  }));
};

const nothing = (): void => undefined;

export const ShareBoard = (props: ShareBoardProps) => {
  const { tableId, view, fields, search, onOpen } = props;
  const stack = stackFieldOf(view, fields);
  const stacks = useShareStacks(props, stack);
  if (stack === undefined)
    return (
      <MissingField icon={<SquareKanban size={20} />} title="This board has no field to stack by">
        The owner of the view can choose one.
      </MissingField>
    );
  if (stacks === undefined) return <Loading what="Loading stacks" />;
  const shown = orderedFields(fields, view).filter((field) => !isHidden(view, field) && field.id !== stack.id);
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Board by ${stack.name}`}
      className="flex min-h-0 flex-1 gap-3 overflow-x-auto bg-canvas p-3 outline-offset-[-2px] sm:p-4"
    >
      {[null, ...stacks].map((one) => (
        <KanbanColumn
          key={one?.key ?? 'none'}
          tableId={tableId}
          view={view}
          field={stack}
          stack={one}
          stacks={stacks}
          fields={shown}
          cover={coverOf(view, fields)}
          search={search}
          mayEdit={false}
          mayOrder={false}
          onMove={nothing}
          onOpen={onOpen}
          onFiles={undefined}
          onAdd={undefined}
        />
      ))}
    </div>
  );
};
