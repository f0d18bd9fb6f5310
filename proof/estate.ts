// A tenant in full: fields and views of every type, cells in all of them, descriptions, history, a price paid. All of it
// carries the mark of the tenant, so that whatever shows up elsewhere can be told.
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { createOauthClient } from '@rowhouse/contract/oauth.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { describeTable } from '@rowhouse/contract/table.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import { createView, deleteView } from '@rowhouse/contract/view.ts';
import { viewTypes } from '@rowhouse/contract/view-types.ts';
import { updateBillingDetail } from '@rowhouse/contract/billing.ts';
import { openTenant, type Tenant, type Things } from '../test/support/access-tenant.ts';
import type { World } from '../test/support/world.ts';

/** Further things to name in requests. */
export interface Holdings extends Things {
  textFieldId: string;
  longTextFieldId: string;
  dateFieldId: string;
  selectFieldId: string;
  multiSelectFieldId: string;
  checkboxFieldId: string;
  ratingFieldId: string;
  userFieldId: string;
  kanbanViewId: string;
  historyId: string;
  /** Of a record that was deleted. */
  deletionId: string;
  recordTrashId: string;
  fieldTrashId: string;
  viewTrashId: string;
  ownerId: string;
  recordCursor: string;
  historyCursor: string;
}

export interface Estate extends Tenant {
  mark: string;
  things: Holdings;
  /** What nobody else may ever read, in any answer. */
  secrets: string[];
}

const must = <T>(outcome: { status: number; body: T; error: unknown }): T => {
  if (outcome.status >= 400) throw new Error(`set-up failed: ${JSON.stringify(outcome.error)}`);
  return outcome.body;
};

const fieldsOf = (mark: string) =>
  ({
    textFieldId: { type: 'singleLineText' },
    longTextFieldId: { type: 'longText' },
    dateFieldId: {
      type: 'date',
      options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' } },
    },
    selectFieldId: { type: 'singleSelect', options: { choices: [{ name: `${mark} choice` }, { name: 'Other' }] } },
    multiSelectFieldId: { type: 'multipleSelect', options: { choices: [{ name: `${mark} tag` }, { name: 'Other' }] } },
    checkboxFieldId: { type: 'checkbox' },
    ratingFieldId: { type: 'rating' },
    userFieldId: { type: 'user', options: { isMultiple: true } },
  }) as const;

export const openEstate = async (world: World, mark: string): Promise<Estate> => {
  const tenant = await openTenant(world, mark);
  const { owner, things } = tenant;
  const { call } = owner;
  const { tableId, recordId, spaceId, baseId } = things;
  const ids: Record<string, string> = {};
  for (const [key, definition] of Object.entries(fieldsOf(mark))) {
    ids[key] = must(
      await call(createField, {
        params: { tableId },
        body: { ...definition, name: `${mark} ${key}`, description: `${mark} description` },
      }),
    ).id;
  }
  const fields = ids as Record<keyof ReturnType<typeof fieldsOf>, string>;
  must(
    await call(updateRecord, {
      params: { tableId, recordId },
      body: {
        fieldKeyType: 'id',
        record: {
          fields: {
            [fields.textFieldId]: `${mark} text`,
            [fields.longTextFieldId]: `${mark}\nlong text`,
            [fields.dateFieldId]: '2024-05-06T07:08:09.000Z',
            [fields.selectFieldId]: `${mark} choice`,
            [fields.multiSelectFieldId]: [`${mark} tag`, 'Other'],
            [fields.checkboxFieldId]: true,
            [fields.ratingFieldId]: 3,
            [fields.userFieldId]: [{ id: things.baseMemberId, title: '' }],
          },
        },
      },
    }),
  );
  const views: Record<string, string> = {};
  for (const type of viewTypes) {
    const options =
      type === 'kanban'
        ? { stackFieldId: fields.selectFieldId }
        : type === 'form'
          ? { submitLabel: `${mark} label` }
          : {};
    views[type] = must(
      await call(createView, {
        params: { tableId },
        body: { type, name: `${mark} ${type}`, description: `${mark} description`, options },
      }),
    ).id;
  }
  must(await call(describeTable, { params: { baseId, tableId }, body: { description: `${mark} description` } }));
  must(
    await call(updateBillingDetail, {
      params: { spaceId },
      body: { name: `${mark} accounts`, email: `${mark.toLowerCase()}@billing.example.com` },
    }),
  );
  must(
    await call(createOauthClient, {
      body: {
        name: `${mark} application`,
        description: `${mark} description`,
        homepage: 'https://app.example.com',
        redirectUris: ['https://app.example.com/callback'],
        scopes: ['record|read'],
      },
    }),
  );
  const [gone] = must(
    await call(createRecords, {
      params: { tableId },
      body: { fieldKeyType: 'id', records: [{ fields: { [fields.textFieldId]: `${mark} deleted` } }] },
    }),
  ).records;
  const deletion = await call(deleteRecord, { params: { tableId, recordId: gone?.id ?? '' } });
  must(deletion);
  const spare = must(
    await call(createField, {
      params: { tableId },
      body: {
        type: 'singleSelect',
        name: `${mark} deleted field`,
        options: { choices: [{ name: `${mark} deleted choice` }] },
      },
    }),
  );
  must(await call(deleteField, { params: { tableId, fieldId: spare.id } }));
  const unwanted = must(
    await call(createView, { params: { tableId }, body: { type: 'grid', name: `${mark} deleted view` } }),
  );
  must(await call(deleteView, { params: { tableId, viewId: unwanted.id } }));
  const deleted = must(
    await call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId } }),
  ).trashItems.find(({ resourceType }) => resourceType === 'record');
  const { historyList, nextCursor } = must(await call(listTableHistory, { params: { tableId }, query: { take: 1 } }));
  const { extra } = must(await call(listRecords, { params: { tableId }, query: { take: 1 } }));
  return {
    ...tenant,
    mark,
    things: {
      ...things,
      ...fields,
      kanbanViewId: views['kanban'] ?? '',
      historyId: historyList[0]?.id ?? '',
      deletionId: deletion.headers.get('x-operation-id') ?? '',
      recordTrashId: deleted?.id ?? '',
      fieldTrashId: `tra${spare.id.slice(3)}`,
      viewTrashId: `tra${unwanted.id.slice(3)}`,
      ownerId: owner.userId,
      recordCursor: extra?.nextCursor ?? '',
      historyCursor: nextCursor ?? '',
    },
    secrets: [mark, owner.email, owner.token, things.clientSecret, `${mark.toLowerCase()}@billing`],
  };
};
