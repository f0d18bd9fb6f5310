// Finding records: the parameters that the list of records and the aggregations share.
import { Type } from 'typebox';

const jsonText = (description: string) => Type.Optional(Type.String({ maxLength: 200_000, description }));

const FieldKeyType = Type.Enum(['id', 'name', 'dbFieldName'], {
  description: 'How fields are named in the request and the answer; a field id is understood in any case',
});

const linkCell = (description: string) =>
  Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 200 }), Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 2 })],
      {
        description: `${description}. The id of the link field, or it and that of a record: \`["fld…","rec…"]\``,
      },
    ),
  );

/** Which records. */
export const finding = {
  viewId: Type.Optional(
    Type.String({
      maxLength: 50,
      description: 'Look through this view: its filter, sort, group and hidden fields apply',
    }),
  ),
  ignoreViewQuery: Type.Optional(Type.Boolean({ description: 'Leave the filter, sort and group of the view aside' })),
  filter: jsonText(
    'A filter as JSON: `{"conjunction":"and","filterSet":[{"fieldId":"Count","operator":"isGreater","value":5}]}`, added to the one of the view',
  ),
  filterByTql: Type.Optional(
    Type.String({
      maxLength: 200_000,
      description:
        "A filter as a query: `{Name} = 'x' and ({Count} > 3 or {Due} is null)`. Operators: =, !=, <>, >, >=, <, <=, LIKE, NOT LIKE, IN, NOT IN, HAS, IS NULL, IS NOT NULL; `and` and `or` are joined from left to right",
    }),
  ),
  search: Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: 200_000 }),
        Type.Array(Type.String({ maxLength: 100_000 }), { minItems: 1, maxItems: 3 }),
      ],
      {
        description:
          'What to search for in the displayed text (at most 1,000 characters; upper or lower case, with or without accents), the fields to search (separated by commas; none for all), and whether records that do not match are left out (yes, unless it is "false"): `search[]=sun&search[]=Name&search[]=true`, or as a JSON list',
      },
    ),
  ),
  selectedRecordIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 1_000,
      description: 'Only records among these; with `filterLinkCellCandidate`: all but these',
    }),
  ),
  filterLinkCellCandidate: linkCell(
    'Only records that the cell of a link to this table may still take: not those in it, nor those that belong to another record where they can belong to one only',
  ),
  filterLinkCellSelected: linkCell(
    'Only records that are in the cell of a link to this table, in its order; without a record: in any cell of that field',
  ),
  fieldKeyType: Type.Optional(FieldKeyType),
};

const GroupBy = jsonText(
  'Up to three groups as JSON, in place of those of the view: `[{"fieldId":"Status","order":"asc"}]`',
);

export const grouping = { groupBy: GroupBy };

/** In which order. */
export const arranging = {
  orderBy: jsonText('A sort as JSON, which goes before the one of the view: `[{"fieldId":"Count","order":"desc"}]`'),
  groupBy: GroupBy,
  collapsedGroupIds: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 200_000 }), Type.Array(Type.String({ maxLength: 100 }), { maxItems: 5_000 })],
      {
        description: 'Ids of groups whose records are left out, as a JSON list or repeated',
      },
    ),
  ),
};
