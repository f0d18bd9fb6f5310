// What a backup says about itself. Restoring makes tables from it, and the file may come from elsewhere: everything that
// becomes part of a statement is either quoted or one of the few forms that Rowhouse itself makes.
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { newestBaseVersion } from '../../db/base-migrations/steps.ts';
import { StartError } from '../../db/error.ts';
import { NewerDatabase } from '../../db/migrate.ts';

/** Since 2 a base says which version its schema has; 3 holds uploaded files, 4 links that are not back yet. What older versions can read is written as they know it. */
export const formats = { plain: 2, withFiles: 3, withLinks: 4 } as const;
const newestFormat = formats.withLinks;

/** What becomes part of statements as it stands in the file. */
export const columnType =
  /^(bigint|boolean|bytea|double precision|integer|jsonb|smallint|text|timestamp with time zone)(\[\])?$/;
export const constantDefault = /^(now\(\)|clock_timestamp\(\)|true|false|-?\d+|'[^'\\]*'::[a-z ]+(\[\])?)$/;
export const indexMethod = /^btree \([^;]*\)( WHERE \([^;]*\))?$/;

const Name = Type.String({ minLength: 1, maxLength: 63, pattern: '^[^\\u0000]+$' });
const idOf = (kind: string) => Type.String({ pattern: `^${kind}[0-9A-Za-z]{16}$` });
const BaseId = idOf('bse');
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const exactly = { additionalProperties: false };

const Column = Type.Object(
  {
    name: Name,
    type: Type.String({ pattern: columnType.source }),
    notNull: Type.Boolean(),
    /** A constant, or the time. Anything else could do anything. */
    default: Nullable(Type.String({ pattern: constantDefault.source })),
    identity: Nullable(
      Type.Object({ kind: Type.Union([Type.Literal('always'), Type.Literal('by default')]), sequence: Name }, exactly),
    ),
  },
  exactly,
);

const Shape = Type.Object(
  {
    name: Name,
    fillFactor: Nullable(Type.Integer({ minimum: 10, maximum: 100 })),
    columns: Type.Array(Column),
    /** Primary and unique keys. */
    keys: Type.Array(
      Type.Object({ name: Name, isPrimary: Type.Boolean(), columns: Type.Array(Name, { minItems: 1 }) }, exactly),
    ),
    /** Conditions: names of columns that have to be true. */
    checks: Type.Array(Type.Object({ name: Name, column: Name }, exactly)),
    /** `method` is what follows USING. PostgreSQL itself refuses expressions there that depend on anything but the row, or change anything. */
    indexes: Type.Array(
      Type.Object(
        { name: Name, isUnique: Type.Boolean(), method: Type.String({ pattern: indexMethod.source }) },
        exactly,
      ),
    ),
  },
  exactly,
);
export type Shape = Static<typeof Shape>;

/** Rows of one table; the members `data/<its place in the list>/…` hold them as COPY writes them. */
const TableData = Type.Object(
  {
    schema: Name,
    name: Name,
    columns: Type.Array(Name),
    rows: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    parts: Type.Integer({ minimum: 0 }),
  },
  exactly,
);
export type TableData = Static<typeof TableData>;

const Manifest = Type.Object(
  {
    format: Type.Union([
      Type.Literal(1),
      Type.Literal(formats.plain),
      Type.Literal(formats.withFiles),
      Type.Literal(formats.withLinks),
    ]),
    rowhouse: Type.String(),
    postgres: Type.String(),
    /** The newest migration of the database that it was made of. */
    level: Type.Integer({ minimum: 1 }),
    time: Type.String(),
    kind: Type.Union([Type.Literal('instance'), Type.Literal('base')]),
    bases: Type.Array(
      Type.Object(
        {
          id: BaseId,
          name: Type.String(),
          icon: Nullable(Type.String()),
          createdBy: Type.String(),
          createdTime: Type.String(),
          /** Left out: 1. */
          schemaVersion: Type.Optional(Type.Integer({ minimum: 1 })),
          tables: Type.Array(Shape),
        },
        exactly,
      ),
    ),
    tables: Type.Array(TableData),
    /** Uploaded files; the members `files/<token>/…` hold them, in this order. */
    files: Type.Optional(
      Type.Array(
        Type.Object(
          {
            token: Type.String({ pattern: '^att[0-9A-Za-z]{21}$' }),
            size: Type.Integer({ minimum: 0 }),
            parts: Type.Integer({ minimum: 0 }),
          },
          exactly,
        ),
      ),
    ),
    /** Of one base: links of restored records that were not back yet. Those of an instance are among its jobs. */
    links: Type.Optional(
      Type.Array(
        Type.Object(
          {
            tableId: idOf('tbl'),
            fieldId: idOf('fld'),
            recordId: idOf('rec'),
            ends: Type.Array(idOf('rec')),
            from: Type.Integer({ minimum: 0 }),
          },
          exactly,
        ),
      ),
    ),
    /** Where sequences that were used stand; as text, since they can be larger than a number of JavaScript holds. */
    sequences: Type.Array(
      Type.Object({ schema: Name, name: Name, value: Type.String({ pattern: '^\\d+$' }) }, exactly),
    ),
    /** SQL access to bases. The password as PostgreSQL keeps it, where its user may see that. */
    readers: Type.Array(
      Type.Object(
        {
          baseId: BaseId,
          roleName: Name,
          password: Nullable(Type.String({ pattern: '^SCRAM-SHA-256\\$[0-9A-Za-z+/=:$]+$' })),
        },
        exactly,
      ),
    ),
  },
  exactly,
);
export type Manifest = Static<typeof Manifest>;

// Not before it is needed: every start of the program loads this file.
let compiled: ReturnType<typeof Compile<typeof Manifest>> | undefined;

const refuse = (path: string, what: string): StartError => new StartError(`${path} cannot be used: ${what}`);

/** Also what is about to be written goes through it: what could not be restored is not backed up either. */
export const demandManifest = (value: unknown, path: string): Manifest => {
  const { format, rowhouse } = (value ?? {}) as { format?: unknown; rowhouse?: unknown };
  if (typeof format === 'number' && format > newestFormat)
    throw refuse(path, `it was made by Rowhouse ${String(rowhouse)}, which is newer than this one`);
  const check = (compiled ??= Compile(Manifest));
  if (check.Check(value)) return value;
  const error = check.Errors(value)[0];
  throw refuse(path, `${error?.instancePath ?? ''} ${error?.message ?? 'is not known here'}`.trim());
};

/** Older ones are upgraded. */
export const demandKnownVersions = ({ bases }: Manifest, path: string): void => {
  const newest = Math.max(1, ...bases.map(({ schemaVersion = 1 }) => schemaVersion));
  if (newest > newestBaseVersion)
    throw new NewerDatabase(
      `${path} holds a base of version ${newest}, this Rowhouse knows versions up to ${newestBaseVersion}: restore it with a newer Rowhouse`,
    );
};
