// GET /share/:shareId/view/collaborators
import type { IncomingHttpHeaders } from 'node:http';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import type { listShareCollaborators as endpoint } from '@rowhouse/contract/share.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { PublicContext } from '../../context.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { queryFor } from '../record/read/list-records.ts';
import { openShare } from './open-share.ts';
import { type NamedPerson, selectBasePeople, selectPeopleIn } from './share-people.sql.ts';

const isForPeople = (field: FieldSchema): boolean => kindOf(filterFieldOf(field)) === 'person';

export const listShareCollaborators = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  query: QueryOf<typeof endpoint>,
): Promise<NamedPerson[]> => {
  const {
    context,
    view,
    share: { viewId },
  } = await openShare(services, shareId, headers);
  const { fieldId } = query;
  const { offersPeople } = shapeOf(view.type);
  const page = { search: query.search, take: query.take ?? 100, skip: query.skip ?? 0 };
  if (!offersPeople && fieldId === undefined)
    throw invalid({
      path: 'query.fieldId',
      message: 'Expected the field whose people are wanted',
      expected: 'the id of a field for people that the share shows',
    });
  return guardedRead({ unconfirmed: context }, async (present, sight) => {
    const field = fieldId === undefined ? undefined : sight.byId.get(fieldId);
    if (fieldId !== undefined && (field === undefined || !isForPeople(field)))
      throw forbidden('The share shows no such field for people');
    if (offersPeople)
      return seen(
        present,
        sight,
        sight.fields.some(isForPeople) ? await selectBasePeople(present.db, present.access.baseId, page) : [],
      );
    return seen(
      present,
      sight,
      await selectPeopleIn(present.db, sight, field as FieldSchema, queryFor(sight, { viewId }).where, page),
    );
  });
};
