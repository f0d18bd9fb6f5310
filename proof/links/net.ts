// A random net of tables: links of every kind between them and within them, and fields that are computed through these, from each other too.
import { convertField, createField, deleteField, type Field, listFields } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import type { Call } from '../client.ts';
import type { Failures } from '../failures.ts';
import type { Random } from '../random.ts';

export interface Side {
  tableId: string;
  nameId: string;
  amountId: string;
  doneId: string;
  /** Its type changes now and then. */
  extraId: string;
  fields: Field[];
  /** Records that somebody made and nobody deleted. */
  ids: string[];
}

export interface Net {
  call: Call;
  baseId: string;
  sides: Side[];
  failures: Failures;
  /** Statuses that a server which is being killed may answer with. */
  alsoAllowed: readonly number[];
  /** Answers by status. */
  statuses: Map<number, number>;
}

/** Whatever a random request asks for, these are the only answers that it may get: done, wrong, or of something that is gone. */
const mayBe = [200, 201, 400, 404];

export const note = <T extends { status: number; body: unknown }>(
  { failures, statuses, alsoAllowed }: Net,
  what: string,
  answered: T,
  ...more: number[]
): T => {
  statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
  failures.demand(
    [...mayBe, ...alsoAllowed, ...more].includes(answered.status),
    () => `${what} answered ${answered.status}: ${JSON.stringify(answered.body).slice(0, 300)}`,
  );
  return answered;
};

export const isLinkField = ({ type, isLookup, hasError }: Field): boolean =>
  type === 'link' && isLookup !== true && hasError !== true;

export const linksOf = ({ fields }: Side): Field[] => fields.filter(isLinkField);

export const sideOf = ({ sides }: Net, tableId: unknown): Side | undefined =>
  sides.find((side) => side.tableId === tableId);

/** What the fields are now: those of other tables change with one, too. */
export const look = async (net: Net): Promise<void> => {
  for (const side of net.sides) {
    const found = await net.call(listFields, { params: { tableId: side.tableId }, query: {} });
    if (found.status === 200) side.fields = found.body;
  }
};

const makeSide = async ({ call, baseId }: Net, name: string, records: number): Promise<Side> => {
  const fields = [
    { type: 'singleLineText', name: 'Name' },
    { type: 'number', name: 'Amount' },
    { type: 'checkbox', name: 'Done' },
    { type: 'number', name: 'Extra' },
  ] as const;
  const made = await call(createTable, {
    params: { baseId },
    body: {
      name,
      fields: [...fields],
      records: Array.from({ length: records }, (_, at) => ({
        fields: { Name: `${name} ${at}`, Amount: at / 4, Extra: at },
      })),
    },
  });
  if (made.status !== 201) throw new Error(`the table was not made: ${JSON.stringify(made.body)}`);
  const [nameId, amountId, doneId, extraId] = made.body.fields.map(({ id }) => id) as [string, string, string, string];
  return {
    tableId: made.body.id,
    nameId,
    amountId,
    doneId,
    extraId,
    fields: made.body.fields,
    ids: made.body.records.map(({ id }) => id),
  };
};

const relationships = ['oneOne', 'manyMany', 'oneMany', 'manyOne'];

const addLink = async (net: Net, random: Random): Promise<void> => {
  const [own, other] = [random.pick(net.sides), random.pick(net.sides)];
  const options = { relationship: random.pick(relationships), foreignTableId: other.tableId, isOneWay: random.once(4) };
  note(
    net,
    'adding a link',
    await net.call(createField, { params: { tableId: own.tableId }, body: { type: 'link', options } }),
  );
};

const functions: Record<string, readonly string[]> = {
  number: ['sum', 'average', 'max', 'min', 'countall', 'counta', 'count', 'array_compact', 'array_unique'],
  boolean: ['and', 'or', 'xor', 'counta'],
  dateTime: ['max', 'min', 'counta'],
  string: ['array_join', 'concatenate', 'array_unique', 'array_compact', 'counta', 'countall'],
};

const filterOf = ({ doneId, amountId }: Side, random: Random): object => ({
  conjunction: 'and',
  filterSet: [
    random.once(2)
      ? { fieldId: doneId, operator: 'is', value: true }
      : { fieldId: amountId, operator: 'isGreater', value: 2 },
  ],
});

/** Of fields of the own record: numbers are added, texts are joined. */
const expressionOf = ({ fields }: Side, random: Random): string => {
  const numbers = fields.filter(
    ({ cellValueType, isMultipleCellValue, hasError }) =>
      cellValueType === 'number' && isMultipleCellValue !== true && hasError !== true,
  );
  const [one, other] = [random.pick(numbers), random.pick(numbers)];
  const any = random.pick(fields);
  return random.pick([
    `{${one?.id}} * 2 + {${other?.id}}`,
    `{${any.id}} & ": " & {${one?.id}}`,
    `IF({${one?.id}} > 3, "much", {${any.id}} & "")`,
  ]);
};

/** A lookup, a rollup, a count or a formula, of anything that there is. Some are refused, as where a field would need itself. */
const addComputed = async (net: Net, random: Random): Promise<void> => {
  const side = random.pick(net.sides);
  const params = { tableId: side.tableId };
  if (random.once(3)) {
    note(
      net,
      'adding a formula',
      await net.call(createField, {
        params,
        body: { type: 'formula', options: { expression: expressionOf(side, random) } },
      }),
    );
    return;
  }
  const links = linksOf(side);
  if (links.length === 0) return;
  const link = random.pick(links);
  const foreign = sideOf(net, link.options['foreignTableId']);
  if (foreign === undefined) return;
  // What is computed itself is looked up as often as what is written.
  const computed = foreign.fields.filter(({ isComputed, type }) => isComputed === true || type === 'link');
  const source = random.pick(computed.length > 0 && random.once(2) ? computed : foreign.fields);
  const lookupOptions = {
    foreignTableId: foreign.tableId,
    linkFieldId: link.id,
    lookupFieldId: source.id,
    ...(random.once(4) ? { filter: filterOf(foreign, random) } : {}),
  };
  const dice = random.below(5);
  const body =
    dice < 2
      ? { type: source.type, isLookup: true, lookupOptions }
      : dice < 4
        ? {
            type: 'rollup' as const,
            options: { expression: `${random.pick(functions[source.cellValueType] as string[])}({values})` },
            lookupOptions,
          }
        : { type: 'count' as const, lookupOptions: { foreignTableId: foreign.tableId, linkFieldId: link.id } };
  note(net, 'adding what is looked up', await net.call(createField, { params, body }));
};

const isMade = (side: Side, { id }: Field): boolean =>
  ![side.nameId, side.amountId, side.doneId, side.extraId].includes(id);

/** Fields come, go, come back and become others while people write. */
export const changeFields = async (net: Net, random: Random): Promise<void> => {
  await look(net);
  const side = random.pick(net.sides);
  const params = { tableId: side.tableId };
  const made = side.fields.filter((field) => isMade(side, field));
  const dice = random.below(10);
  if (dice < 5) await addComputed(net, random);
  else if (dice < 6) await addLink(net, random);
  else if (dice < 8 && made.length > 2) {
    const gone = note(
      net,
      'deleting a field',
      await net.call(deleteField, { params: { ...params, fieldId: random.pick(made).id } }),
    );
    const operationId = operationOf(gone);
    if (operationId !== undefined && random.once(2))
      note(net, 'bringing a field back', await net.call(restoreHistory, { params, body: { operationId } }), 409);
  } else if (dice < 9) {
    const formulas = made.filter(({ type, isLookup }) => type === 'formula' && isLookup !== true);
    if (formulas.length > 0)
      note(
        net,
        'changing a formula',
        await net.call(convertField, {
          params: { ...params, fieldId: random.pick(formulas).id },
          body: { type: 'formula', options: { expression: expressionOf(side, random) } },
        }),
      );
  } else {
    const isNumber = side.fields.find(({ id }) => id === side.extraId)?.type === 'number';
    note(
      net,
      'changing a type',
      await net.call(convertField, {
        params: { ...params, fieldId: side.extraId },
        body: { type: isNumber ? 'singleLineText' : 'number' },
      }),
    );
  }
  await look(net);
};

/** Headers of both clients that use this: of `fetch`, and of Node. */
export const operationOf = ({ headers }: { headers: unknown }): string | undefined => {
  const name = 'x-operation-id';
  const found = headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return typeof found === 'string' ? found : undefined;
};

interface Size {
  tables: number;
  links: number;
  computed: number;
  records: number;
}

export const layNet = async (net: Net, random: Random, { tables, links, computed, records }: Size): Promise<void> => {
  for (let at = 0; at < tables; at += 1) net.sides.push(await makeSide(net, 'ABCDE'[at] as string, records));
  for (let at = 0; at < links; at += 1) await addLink(net, random);
  for (let at = 0; at < computed; at += 1) {
    await look(net);
    await addComputed(net, random);
  }
  await look(net);
};
