// A base of three tables that lead to each other: links from one end and from both, lookups of lookups, rollups with and without a link, formulas over all of these, people, dates,
// choices. What every cell comes from is written down beside it, for the model.
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import type { Person } from '../../test/support/people.ts';
import { openWorkshop, type Workshop } from '../../test/support/tables.ts';
import type { World } from '../../test/support/world.ts';
import type { ModelField, ModelRecord, ModelTable, Origin } from './model.ts';

export type Name = 'staff' | 'clients' | 'orders';
export const names: readonly Name[] = ['staff', 'clients', 'orders'];
export const words = ['ash', 'birch', 'cedar', 'elm', 'fir'];

export interface Estate {
  shop: Workshop;
  ids: Readonly<Record<Name, string>>;
  /** `orders.Amount` → its id. */
  at: (path: string) => string;
  /** The name of a field, by its id. */
  called: (fieldId: string) => string;
  /** All of it as the owner reads it now. */
  read: () => Promise<Map<string, ModelTable>>;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

/** `member`: whom cells with people name, besides the owner. */
export const openEstate = async (world: World, invite: (shop: Workshop) => Promise<Person>) => {
  const shop = await openWorkshop(world);
  const reader = await invite(shop);
  const { owner } = shop;
  const ids = {} as Record<Name, string>;
  const fieldIds: Record<string, string> = {};
  const origins = new Map<string, Origin>();
  const fieldNames = new Map<string, string>();
  const at = (path: string): string => {
    const id = fieldIds[path];
    if (id === undefined) throw new Error(`there is no field ${path}`);
    return id;
  };

  const note = (name: Name, field: { id: string; name: string }, origin: Origin): void => {
    fieldIds[`${name}.${field.name}`] = field.id;
    fieldNames.set(field.id, field.name);
    origins.set(field.id, origin);
  };
  const plainTable = async (name: Name, fields: object[], records: object[]): Promise<void> => {
    const table = await shop.table({
      name,
      fields: [{ name: 'Name', type: 'singleLineText' }, ...fields] as never,
      records: records.map((one) => ({ fields: one })) as never,
    });
    ids[name] = table.id;
    for (const field of table.fields) note(name, field, { kind: 'plain' });
  };
  const add = async (name: Name, body: object, origin: Origin): Promise<void> =>
    note(name, must(await owner.call(createField, { params: { tableId: ids[name] }, body: body as never })), origin);
  const addLink = async (
    name: Name,
    field: string,
    to: Name,
    relationship: string,
    back: string | undefined,
  ): Promise<void> => {
    const options = { foreignTableId: ids[to], relationship, isOneWay: back === undefined };
    const made = must(
      await owner.call(createField, {
        params: { tableId: ids[name] },
        body: { name: field, type: 'link', options } as never,
      }),
    );
    const isMultiple = relationship === 'manyMany' || relationship === 'oneMany';
    note(name, made, { kind: 'link', to: ids[to], title: at(`${to}.Name`), isMultiple });
    if (back === undefined) return;
    const id = (made.options as { symmetricFieldId: string }).symmetricFieldId;
    const origin: Origin = { kind: 'link', to: ids[name], title: at(`${name}.Name`), isMultiple: true };
    note(to, { id, name: back }, origin);
  };
  const addLookup = async (
    name: Name,
    body: { name: string; type: string; isLookup?: boolean; options?: object },
    [by, to, of]: readonly [string, Name, string],
    above?: readonly [field: string, value: number],
  ): Promise<void> => {
    const filter =
      above === undefined
        ? undefined
        : {
            conjunction: 'and',
            filterSet: [{ fieldId: at(`${to}.${above[0]}`), operator: 'isGreater', value: above[1] }],
          };
    const linkFieldId = at(`${name}.${by}`);
    const lookupOptions = { foreignTableId: ids[to], linkFieldId, lookupFieldId: at(`${to}.${of}`), filter };
    const sources = [at(`${to}.${of}`), ...(above === undefined ? [] : [at(`${to}.${above[0]}`)])];
    await add(name, { ...body, lookupOptions }, { kind: 'lookup', by: linkFieldId, to: ids[to], of: sources });
  };
  const addFormula = (name: Name, field: string, expression: string, of: readonly string[]): Promise<void> =>
    add(
      name,
      {
        name: field,
        type: 'formula',
        options: { expression: expression.replaceAll(/\{(.*?)\}/g, (_, one: string) => `{${at(`${name}.${one}`)}}`) },
      },
      { kind: 'formula', of: of.map((one) => at(`${name}.${one}`)) },
    );

  const allRecords = async (name: Name): Promise<ModelRecord[]> =>
    must(
      await owner.call(listRecords, {
        params: { tableId: ids[name] },
        query: { fieldKeyType: 'id', take: 1_000 } as never,
      }),
    ).records as unknown as ModelRecord[];

  const people = [reader.userId, owner.userId, null];
  await plainTable(
    'staff',
    [
      { name: 'Grade', type: 'number' },
      { name: 'Pin', type: 'singleLineText' },
    ],
    ['ada', 'bob', 'cyd', 'dan'].map((Name, n) => ({ Name, Grade: n, Pin: `pin${n}` })),
  );
  const choices = ['gold', 'iron', 'tin'];
  await plainTable(
    'clients',
    [
      { name: 'Tier', type: 'number' },
      { name: 'Phone', type: 'singleLineText' },
      { name: 'Tags', type: 'multipleSelect', options: { choices: choices.map((name) => ({ name })) } },
    ],
    ['koala', 'lemur', 'mole', 'newt', 'otter'].map((Name, n) => ({
      Name,
      Tier: n % 4,
      Tags: n === 0 ? null : choices.slice(n % 3),
      ...(n === 3 ? {} : { Phone: `phone${n}` }),
    })),
  );
  await plainTable(
    'orders',
    [
      { name: 'Amount', type: 'number' },
      { name: 'Region', type: 'singleLineText' },
      { name: 'Person', type: 'user' },
      { name: 'Done', type: 'checkbox' },
      { name: 'Day', type: 'date' },
    ],
    Array.from({ length: 9 }, (_, n) => ({
      Name: `order${n}`,
      ...(n === 4 ? {} : { Amount: n % 5 }),
      Region: words[n % 3],
      ...(people[n % 3] == null ? {} : { Person: { id: people[n % 3] } }),
      ...(n % 2 === 0 ? { Done: true } : {}),
      ...(n % 4 === 3 ? {} : { Day: `2026-0${1 + (n % 4)}-05T00:00:00.000Z` }),
    })),
  );
  await addLink('clients', 'Owner', 'staff', 'manyOne', 'Clients');
  await addLink('orders', 'Client', 'clients', 'manyOne', 'Orders');
  await addLink('orders', 'Helpers', 'staff', 'manyMany', undefined);
  const [staff, clients, orders] = [await allRecords('staff'), await allRecords('clients'), await allRecords('orders')];
  const linkAll = async (name: Name, records: readonly ModelRecord[], cells: (n: number) => object): Promise<void> =>
    void must(
      await owner.call(updateRecords, {
        params: { tableId: ids[name] },
        body: { records: records.map(({ id }, n) => ({ id, fields: cells(n) })) as never },
      }),
    );
  const to = (records: readonly ModelRecord[], n: number) => ({ id: (records[n % records.length] as ModelRecord).id });
  await linkAll('clients', clients, (n) => ({ Owner: n === 2 ? null : to(staff, n) }));
  await linkAll('orders', orders, (n) => ({
    Client: n % 4 === 3 ? null : to(clients, n),
    Helpers: n % 3 === 0 ? [to(staff, n), to(staff, n + 1)] : n % 3 === 1 ? [to(staff, n)] : null,
  }));
  // Something for the history of plain cells.
  await linkAll('orders', orders, (n) => ({
    Region: words[(n + 1) % 5],
    ...(n % 2 === 0 ? { Amount: (n + 2) % 6 } : {}),
  }));
  await linkAll('clients', clients, (n) => ({ Phone: n === 1 ? null : `call${n}` }));
  await addFormula('clients', 'Label', '{Name} & "/" & {Tier}', ['Name', 'Tier']);
  await addLookup('clients', { name: 'Owner pin', type: 'singleLineText', isLookup: true }, ['Owner', 'staff', 'Pin']);
  await addFormula('orders', 'Double', '{Amount} * 2', ['Amount']);
  await addFormula('orders', 'Numbered', '{Amount} & "-" & AUTO_NUMBER()', ['Amount']);
  await addFormula('orders', 'Where', '{Client} & "@" & {Region}', ['Client', 'Region']);
  await addFormula('orders', 'Team', '{Helpers} & "!"', ['Helpers']);
  await addLookup('orders', { name: 'Phone', type: 'singleLineText', isLookup: true }, ['Client', 'clients', 'Phone']);
  await addLookup('orders', { name: 'Pin', type: 'singleLineText', isLookup: true }, [
    'Client',
    'clients',
    'Owner pin',
  ]);
  await addLookup('orders', { name: 'Client label', type: 'formula', isLookup: true, options: {} }, [
    'Client',
    'clients',
    'Label',
  ]);
  const sum = { type: 'rollup', options: { expression: 'sum({values})' } };
  await addLookup('clients', { name: 'Total', ...sum }, ['Orders', 'orders', 'Amount']);
  await addLookup('clients', { name: 'Large', ...sum }, ['Orders', 'orders', 'Double'], ['Amount', 2]);
  const join = { type: 'rollup', options: { expression: 'array_join({values})' } };
  await addLookup('staff', { name: 'Names', ...join }, ['Clients', 'clients', 'Label']);
  const value = { type: 'field', fieldId: at('staff.Grade') };
  await add(
    'staff',
    {
      name: 'Tiers',
      type: 'conditionalRollup',
      options: {
        expression: 'sum({values})',
        foreignTableId: ids.clients,
        lookupFieldId: at('clients.Tier'),
        filter: { conjunction: 'and', filterSet: [{ fieldId: at('clients.Tier'), operator: 'isGreater', value }] },
      },
    },
    { kind: 'lookup', to: ids.clients, of: [at('clients.Tier')], host: [at('staff.Grade')] },
  );

  const read = async (): Promise<Map<string, ModelTable>> => {
    const found = new Map<string, ModelTable>();
    for (const name of names) {
      const fields = must(await owner.call(listFields, { params: { tableId: ids[name] }, query: {} }));
      for (const { id, name: given } of fields) fieldNames.set(id, given);
      found.set(ids[name], {
        id: ids[name],
        fields: fields.map(
          ({ id, name: given, type, cellValueType, isMultipleCellValue, options }): ModelField => ({
            id,
            name: given,
            origin: origins.get(id) as Origin,
            match: { id, type, cellValueType, isMultiple: isMultipleCellValue === true, options: options as never },
          }),
        ),
        records: await allRecords(name),
      });
    }
    return found;
  };
  const estate: Estate = { shop, ids, at, called: (id) => fieldNames.get(id) ?? id, read };
  return { estate, reader };
};

export const make = async (
  { shop, ids }: Estate,
  name: Name,
  cells: Record<string, unknown>,
  keyType: 'id' | 'name' = 'name',
): Promise<string> =>
  must(
    await shop.owner.call(createRecords, {
      params: { tableId: ids[name] },
      body: { fieldKeyType: keyType, records: [{ fields: cells }] } as never,
    }),
  ).records[0]?.id as string;
