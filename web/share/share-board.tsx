// A shared board: the columns of the app's own, without moving cards.
import type { Field } from '@rowhouse/contract/field.ts';
import { listShareCollaborators, listShareLinkRecords } from '@rowhouse/contract/share.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { SquareKanban } from 'lucide-react';
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
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  onOpen: (recordId: string) => void;
}

/** Of a link the records that it leads to from here: of others in that table visitors know nothing. */
const useShareStacks = (shareId: string, tableId: string, field: Field | undefined): readonly Stack[] | undefined => {
  const isLink = field?.type === 'link';
  const linked = useQuery({
    queryKey: [...recordsKey(tableId), 'stacks', field?.id],
    queryFn: () =>
      ask(listShareLinkRecords, { params: { shareId }, query: { fieldId: field?.id ?? '', take: mostStacks } }),
    enabled: isLink,
  }).data;
  const isPerson = field?.type === 'user';
  const people = useQuery({
    queryKey: [...recordsKey(tableId), 'people', field?.id],
    queryFn: () => ask(listShareCollaborators, { params: { shareId }, query: { fieldId: field?.id ?? '' } }),
    enabled: isPerson,
  }).data;
  if (field === undefined) return [];
  if (isPerson) return people && stacksOfPeople(people.map(({ userId, userName }) => ({ id: userId, name: userName })));
  return isLink
    ? linked?.map(({ id, title }) => ({
        key: id,
        name: linkTitle(title === undefined ? {} : { title }),
        color: 'grayLight1',
      }))
    : choicesOf(field)
        .slice(0, mostStacks)
        .map(({ name, color }) => ({ key: name, name, color }));
};

const nothing = (): void => undefined;

export const ShareBoard = ({ shareId, tableId, view, fields, search, onOpen }: ShareBoardProps) => {
  const stack = stackFieldOf(view, fields);
  const stacks = useShareStacks(shareId, tableId, stack);
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
