// Notifies people that a record names them now, or that a comment concerns them. The operation of the write says so, and is marked in the transaction
// that writes the notifications.
import { hasRules } from '../../catalog/matrix.sql.ts';
import type { Services } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { selectRecordVersions } from '../record/read/read.sql.ts';
import { countNamed, type NamedPerson, peopleIn } from '../record/write/notify.ts';
import { namedText } from './message.ts';
import { commentNotifications, sightFor } from './notify-comment.ts';
import { insertNotifications, type NewNotification } from './notification.sql.ts';
import { markTold, type NamingOperation, selectNames, selectPeopleCells, takeNaming } from './notify.sql.ts';

const batchSize = 100;

const parse = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** Who is named that was not before, by user id. */
const newlyNamed = async (
  tx: Queryable,
  baseId: string,
  operation: NamingOperation,
): Promise<Map<string, NamedPerson>> => {
  if (operation.notify.named !== undefined) return new Map(Object.entries(operation.notify.named));
  const cells = await selectPeopleCells(tx, baseId, operation);
  return countNamed(
    cells.map(({ recordId, fieldName, before, after }) => {
      const known = new Set(peopleIn(parse(before)));
      return { recordId, fieldName, userIds: peopleIn(parse(after)).filter((userId) => !known.has(userId)) };
    }),
    operation.actor,
  );
};

/** Whether somebody whom rules may bind sees the cell that names them. Of several records at once only those are told who see them all. */
const seesNaming = async (
  tx: Tx,
  services: Services,
  baseId: string,
  { tableId }: NamingOperation,
  userId: string,
  { recordId, fieldName, count }: NamedPerson,
): Promise<boolean> => {
  const sight = await sightFor(tx, services, baseId, tableId, userId);
  const field = sight?.byName.get(fieldName);
  if (sight === undefined || field === undefined || field.seenAs !== undefined) return false;
  if (count > 1) return sight.rows === true;
  return (await selectRecordVersions(tx, sight, [recordId])).has(recordId);
};

/** A batch; answers how many operations there were. */
export const notifyNamed = async (tx: Tx, services: Services, baseId: string): Promise<number> => {
  const { config, newId } = services;
  const operations = await takeNaming(tx, baseId, batchSize);
  if (operations.length === 0) return 0;
  const names = await selectNames(tx, [...new Set(operations.flatMap(({ actor, tableId }) => [actor, tableId]))]);
  const made: NewNotification[] = [];
  const isRuled = await hasRules(tx, baseId);
  for (const operation of operations) {
    const { actor, tableId } = operation;
    const about = { actorName: names.get(actor) ?? 'Someone', tableName: names.get(tableId) ?? 'a table' };
    if (operation.notify.comment !== undefined) {
      made.push(...(await commentNotifications(tx, services, baseId, operation, operation.notify.comment, about)));
      continue;
    }
    for (const [userId, person] of await newlyNamed(tx, baseId, operation)) {
      if (isRuled && !(await seesNaming(tx, services, baseId, operation, userId, person))) continue;
      const one = person.count === 1;
      made.push({
        id: newId('not'),
        userId,
        type: one ? 'collaboratorCellTag' : 'collaboratorMultiRowTag',
        message: namedText(person, about.actorName, about.tableName),
        path: `/base/${baseId}/${tableId}${one ? `?recordId=${person.recordId}` : ''}`,
        actorId: actor,
        source: null,
      });
    }
  }
  const sources = new Set<string>();
  const once = made.filter(({ source }) => source === null || (!sources.has(source) && sources.add(source)));
  await insertNotifications(tx, once, config.smtpUrl !== null);
  await markTold(
    tx,
    baseId,
    operations.map(({ id }) => id),
  );
  return operations.length;
};
