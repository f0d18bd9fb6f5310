// An example of a request for each operation: what the walk of access sends, which the test of the access matrix runs against a server, with the names of things in place of ids.
// server/http/examples.json is made from this.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { requestFor } from './access-request.ts';
import type { Things } from './access-tenant.ts';

interface Example {
  query?: Record<string, unknown>;
  body?: unknown;
}

/** `<tableId>` in place of an id of a table. */
const named = new Proxy({} as Things, { get: (_things, name) => `<${String(name)}>` });

const patch = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const scimUser = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'kim@example.com',
  displayName: 'Kim Lee',
};
const scimGroup = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Sales' };

/** Where a walk is refused because the thing is not there, or says less than a request that gets through. */
const instead: Readonly<Record<string, Example>> = {
  insertAttachments: { body: { attachments: [{ token: '<token>', name: 'photo.png' }] } },
  notifyFile: { query: { filename: 'photo.png' } },
  notifyShareFile: { query: { filename: 'photo.png' } },
  importTables: {
    body: {
      attachmentUrl: '<attachmentUrl>',
      fileType: 'csv',
      tz: 'UTC',
      worksheets: {
        Sheet: {
          name: 'Repairs',
          useFirstRowAsHeader: true,
          importData: true,
          columns: [{ name: 'Name', type: 'singleLineText', sourceColumnIndex: 0 }],
        },
      },
    },
  },
  importRecords: {
    body: {
      attachmentUrl: '<attachmentUrl>',
      fileType: 'csv',
      insertConfig: { sourceWorkSheetKey: 'Sheet', excludeFirstRow: true, sourceColumnMap: { '<fieldId>': 0 } },
    },
  },
  setOrganizationAutoSpace: { body: { autoSpaceType: 'none' } },
  createScimUser: { body: scimUser },
  replaceScimUser: { body: { ...scimUser, active: true } },
  changeScimUser: { body: { schemas: [patch], Operations: [{ op: 'replace', path: 'active', value: false }] } },
  createScimGroup: { body: scimGroup },
  replaceScimGroup: { body: { ...scimGroup, members: [{ value: '<userId>' }] } },
  changeScimGroup: {
    body: { schemas: [patch], Operations: [{ op: 'add', path: 'members', value: [{ value: '<userId>' }] }] },
  },
  createShortLink: { body: { type: 'base-share', resourceId: '<shareId>' } },
  submitShareForm: { body: { fields: { '<fieldId>': 'Mend the roof' } } },
};

/** What stands for something that is not there becomes a name to fill in. */
const filled = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => filled(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, name)]));
  return value === 'none' || value === 'any' ? `<${key}>` : value;
};

/** Of every operation. The bytes of files are not in them. */
export const requestExamples = (endpoints: readonly Declaration[]): Record<string, Example> =>
  Object.fromEntries(
    endpoints.map((endpoint) => {
      const { query, body } = requestFor(endpoint, named);
      const example = {
        ...(query === undefined ? {} : { query: filled(query, 'query') }),
        ...(body === undefined ? {} : { body: filled(body, 'body') }),
      } as Example;
      return [endpoint.name, instead[endpoint.name] ?? example] as const;
    }),
  );

/** Moments are those of the run; here they stay the same. */
export const examplesText = (endpoints: readonly Declaration[]): string =>
  `${JSON.stringify(requestExamples(endpoints), null, 1).replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '2030-01-01T00:00:00.000Z')}\n`;
