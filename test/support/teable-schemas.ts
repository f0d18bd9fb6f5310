// Answers of the tests, read with the schemas of Teable's own client.
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedAnswer } from './answer-record.ts';

interface Deviation {
  /** Of what the comparison says: operation, place, message. */
  matches: RegExp;
  answer: string;
  why: string;
}

/** Answers that differ from the schema of the client on purpose. */
export const deviations: readonly Deviation[] = [
  {
    matches: /dbTableName": Invalid name format/,
    answer: '`dbTableName` of tables',
    why: 'Teable itself answers `base.table`, which its schema does not allow',
  },
  {
    matches: /\/view(\/\{\})?: "(\[\]\.)?options": Unrecognized key\(s\) in object: '(title|submitLabel)'/,
    answer: '`options` of form views',
    why: 'A form has options more: `title`, `thanksTitle`, `thanksText`',
  },
  {
    matches: /\/view(\/\{\})?: "(\[\]\.)?options": Unrecognized key\(s\) in object: 'colorFieldId'/,
    answer: '`options` of gallery, kanban and calendar views',
    why: 'Cards have a colour by a field',
  },
  {
    matches:
      /"(\[\]\.)?(view\.)?(views\.\[\]\.)?options": Unrecognized key\(s\) in object: ('\w+', )*'(colorRules|recordTemplateId)'/,
    answer: '`options` of grid, kanban, gallery and calendar views',
    why: 'Rules that colour rows and cells (`colorRules`), and the template of new records (`recordTemplateId`), when a view has them',
  },
  {
    matches: /type": Invalid enum value\. Expected 'grid'.*received '(timeline|gantt)'$/,
    answer: '`type` of timelines and Gantt charts',
    why: 'The client has no such views; Teable itself has taken `gantt` away',
  },
  {
    matches:
      /options": Unrecognized key\(s\) in object: .*'(startDateFieldId|durationFieldId|laneFieldId|workingDays|lostOptions|dependencyFieldId|lag)'/,
    answer: '`options` of timelines and Gantt charts',
    why: 'Which fields bars are made of, and which days count',
  },
  {
    matches: /type": Invalid enum value\. Expected 'singleLineText'/,
    answer: '`type` of fields',
    why: '`count` and `conditionalRollup` are newer than the client',
  },
  {
    matches:
      /lookupOptions\.(fkHostTableName|foreignKeyName|linkFieldId|lookupFieldId|relationship|selfKeyName)": Required/,
    answer: '`lookupOptions` of fields',
    why: 'A conditional lookup and a count are newer than the client: the one has no link, the other looks no field up',
  },
  {
    matches: /lookupOptions\.filter\.filterSet\./,
    answer: 'filters of lookups',
    why: 'Conditions that compare with a field of the own record are newer than the client',
  },
  {
    matches:
      /options": Unrecognized key\(s\) in object: ('sort'|'trackedFieldIds'|'filter'|'limit'|'lookupFieldId'|'foreignTableId')/,
    answer: '`options` of fields',
    why: 'Those of `conditionalRollup`, and the chosen fields of `lastModifiedTime` and `lastModifiedBy`, are newer than the client',
  },
  {
    matches:
      /"((header|fields)\.)?(\[\]\.)?options": Unrecognized key\(s\) in object: ('isOneWay', )?'selfKeyName', 'relationship', 'foreignKeyName', 'foreignTableId', 'fkHostTableName'/,
    answer: '`options` of links',
    why: 'Without `lookupFieldId` for members whom rules keep from what linked records are called: ids of fields that are not seen are left out',
  },
  {
    matches: /options": Unrecognized key\(s\) in object: .*'(mayPress|openInNewTab|confirm)'/,
    answer: '`options` of buttons',
    why: 'Addresses, a question before the press, and who may press are newer than the client',
  },
  {
    matches: /^GET \/base\/\{\}\/dashboard: "\[\]": Expected array, received object/,
    answer: '`GET /base/{baseId}/dashboard`',
    why: 'The document of the client nests the list twice; its code reads one',
  },
  {
    matches: /^GET \/trash\/items: "trashItems\.\[\]\.resourceType": .* received '(workflow|dashboard)'/,
    answer: '`resourceType` in the trash of a base',
    why: 'Automations and dashboards go to the trash, which is newer than the client',
  },
  {
    matches: /^GET \/(base\/\{\}\/connection|user\/last-visit): "": Expected object, received null/,
    answer: '`GET /base/{baseId}/connection`, `GET /user/last-visit`',
    why: 'Null while there is none, as Teable does',
  },
  {
    matches: /^GET \/(table\/\{\}\/aggregation|share\/\{\}\/view\/aggregations): "": Expected array/,
    answer: '`GET /table/{tableId}/aggregation`, `GET /share/{shareId}/view/aggregations`',
    why: 'The list of the client is wrong: its own type of the answer is an object',
  },
  {
    matches: /email": Invalid email/,
    answer: 'E-mail addresses',
    why: 'Empty for tokens and applications without `user\\|email_read`',
  },
  {
    matches: /^POST \/import\/\{\}: "": Expected object/,
    answer: '`POST /import/{baseId}`',
    why: 'The list of the client is wrong: its own type of the answer is an array',
  },
  {
    matches: /^GET \/base\/\{\}\/query: "": Expected array/,
    answer: '`GET /base/{baseId}/query`',
    why: 'The list of the client is wrong: its own type of the answer has rows and columns',
  },
  {
    matches: /^GET \/comment\/\{\}\/\{\}\/\{\}: "": Expected array/,
    answer: '`GET /comment/{tableId}/{recordId}/{commentId}`',
    why: 'The list of the client says that there are several; it is one, as Teable itself answers',
  },
  {
    matches: /^GET \/template(\/\{\})?: "(\[\]\.)?(snapshot|cover)": Required/,
    answer: '`snapshot` and `cover` of templates',
    why: 'Absent while there is none, as Teable does',
  },
];

interface Schema {
  safeParse(value: unknown): { success: true } | { success: false; error: { issues: Issue[] } };
}

interface Issue {
  path: (string | number)[];
  message: string;
  unionErrors?: { issues: Issue[] }[];
}

interface ClientRoute {
  method: string;
  path: string;
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

const form = (path: string): string => path.replaceAll(/\{[^}]+\}|:[A-Za-z]+/g, '{}').replace(/\/$/, '');

const schemas = (): Map<string, Schema> => {
  const require = createRequire(import.meta.url);
  require('@teable/openapi');
  const { getRoutes } = require('@teable/openapi/dist/utils.js') as { getRoutes: () => ClientRoute[] };
  return new Map(
    getRoutes().flatMap(({ method, path, responses }): [string, Schema][] => {
      const schema = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.[
        'application/json'
      ]?.schema;
      return schema === undefined ? [] : [[`${method.toUpperCase()} ${form(path)}`, schema]];
    }),
  );
};

const placeOf = ({ path }: Issue): string =>
  path
    .map((part) =>
      typeof part === 'number' ? '[]' : /^(fld|rec|usr|viw|bse|tbl|spc|cho|opr)\w{10,}$/.test(part) ? '*' : part,
    )
    .join('.');

/** Of a union the one of its parts that comes closest is told. */
const closest = (issue: Issue): Issue[] => {
  const parts = issue.unionErrors?.map(({ issues }) => issues.flatMap(closest)) ?? [];
  return parts.length === 0
    ? [issue]
    : (parts.toSorted(
        (a, b) =>
          b.reduce((sum, one) => Math.max(sum, one.path.length), 0) -
            a.reduce((sum, one) => Math.max(sum, one.path.length), 0) || a.length - b.length,
      )[0] as Issue[]);
};

export const faultsOf = (answers: readonly RecordedAnswer[]): string[] => {
  if (answers.length === 0) return [];
  const known = schemas();
  const faults = new Set<string>();
  for (const { method, path, body } of answers) {
    const operation = `${method} ${form(path)}`;
    const read = known.get(operation)?.safeParse(body);
    if (read === undefined || read.success) continue;
    for (const issue of read.error.issues.flatMap(closest)) {
      const fault = `${operation}: "${placeOf(issue)}": ${issue.message}`;
      if (!deviations.some(({ matches }) => matches.test(fault))) faults.add(fault);
    }
  }
  return [...faults].toSorted();
};

const answersIn = (folder: string): RecordedAnswer[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.answers'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as RecordedAnswer);

/** At the end of a run. */
export const demandTeableSchemas = (folder: string): void => {
  const faults = faultsOf(answersIn(folder));
  if (faults.length > 0)
    throw new Error(
      `Answers differ from the schemas of Teable's client; mend them, or list them with a reason in test/support/teable-schemas.ts:\n${faults.join('\n')}`,
    );
};
