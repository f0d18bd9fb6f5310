// Rule sets by chance: one to three roles of one member, in the form in which people set them up, and the same for the model.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Grant } from '../../server/catalog/bound.ts';
import { everyAction, type RealGrant, type RealRole } from '../../test/support/matrix.ts';
import type { Random } from '../random.ts';
import { type Estate, type Name, names, words } from './estate.ts';
import type { Granted, ModelTable } from './model.ts';

type Part = FilterGroup['filterSet'][number];

const drawPart = (random: Random, { at }: Estate, name: Name, depth: number): Part => {
  const one = (path: string, operator: string, value: unknown): Part =>
    ({ fieldId: at(path), operator, value }) as never;
  if (depth < 2 && random.once(4))
    return {
      conjunction: random.once(2) ? 'or' : 'and',
      filterSet: Array.from({ length: 1 + random.below(3) }, () => drawPart(random, { at } as Estate, name, depth + 1)),
    };
  const text = { staff: 'staff.Pin', clients: 'clients.Phone', orders: 'orders.Region' }[name];
  const number = { staff: 'staff.Grade', clients: 'clients.Tier', orders: 'orders.Amount' }[name];
  const parts: (() => Part)[] = [
    () => one(text, random.pick(['isEmpty', 'isNotEmpty']), null),
    () => one(number, random.pick(['isGreater', 'isLessEqual', 'isNot', 'is']), random.below(4)),
    ...(name === 'orders'
      ? [
          () => one('orders.Region', random.pick(['is', 'isNot', 'contains', 'doesNotContain']), random.pick(words)),
          () => one('orders.Person', random.pick(['is', 'isNot']), random.pick(['me', 'Me'])),
          () => one('orders.Done', 'is', random.once(2)),
          () =>
            one('orders.Day', random.pick(['isBefore', 'isOnOrAfter']), {
              mode: 'exactDate',
              exactDate: `2026-0${1 + random.below(5)}-01T00:00:00.000Z`,
              timeZone: 'UTC',
            }),
          () => one('orders.Double', 'isGreater', random.below(6)),
          () => one('orders.Client', random.pick(['isEmpty', 'isNotEmpty']), null),
        ]
      : []),
    ...(name === 'clients'
      ? [
          () =>
            one(
              'clients.Tags',
              random.pick(['hasAnyOf', 'hasAllOf', 'hasNoneOf']),
              random.shuffled(['gold', 'iron', 'tin']).slice(0, 1 + random.below(2)),
            ),
          () => one('clients.Total', random.pick(['isGreater', 'isLess']), random.below(6)),
        ]
      : []),
  ];
  return random.pick(parts)();
};

const drawCondition = (random: Random, estate: Estate, name: Name): FilterGroup => ({
  conjunction: random.once(2) ? 'or' : 'and',
  filterSet: Array.from({ length: 1 + random.below(2) }, () => drawPart(random, estate, name, 0)),
});

export interface RuleSet {
  roles: RealRole[];
  granted: Granted;
}

const modelGrant = ({ actions, fields, when, reveals }: RealGrant): Grant => ({
  actions: new Set(actions),
  fields: fields == null ? null : new Set(fields),
  when: when == null ? true : { filter: when as FilterGroup },
  ...(reveals === undefined ? {} : { reveals: new Set(reveals) }),
});

/** `recordFacts`: whether numbers, times and authors are told. `reveals`: whether grants show in computed fields what is hidden itself. */
export const drawRules = (
  random: Random,
  estate: Estate,
  tables: ReadonlyMap<string, ModelTable>,
  memberId: string,
  { recordFacts, reveals }: { recordFacts: boolean; reveals: boolean },
): RuleSet => {
  const ids = [...tables].flatMap(([id, { fields }]) => [id, ...fields.map((field) => field.id)]);
  const granted = new Map<string, Grant[]>(names.map((name) => [estate.ids[name], []]));
  // Some tables are not there at all.
  const present = names.filter(() => !random.once(9));
  const roles = Array.from({ length: 1 + random.below(3) }, (): RealRole => {
    const given = present.flatMap((name): [string, RealRole['tables'][string]][] => {
      if (random.once(5)) return [];
      const tableId = estate.ids[name];
      const fields = (tables.get(tableId) as ModelTable).fields.map(({ id }) => id);
      const grants = Array.from({ length: 1 + random.below(2) }, (): RealGrant => {
        const most = random.pick([2, 4, 12]);
        // One that reads nothing widens nothing.
        const actions = random.once(8) ? ['record|create', 'table|export'] : everyAction;
        const named = random.once(3) ? null : fields.filter(() => !random.once(most));
        const rarely = random.pick([2, 6, 30]);
        const revealed =
          reveals && named !== null && actions === everyAction && random.once(2)
            ? ids.filter(() => !random.once(rarely))
            : [];
        return {
          actions,
          fields: named,
          ...(revealed.length === 0 ? {} : { reveals: revealed }),
          ...(random.once(2) ? {} : { when: drawCondition(random, estate, name) }),
        };
      });
      (granted.get(tableId) as Grant[]).push(...grants.map(modelGrant));
      return [[tableId, { grants, recordFacts }]];
    });
    return { members: [memberId], tables: Object.fromEntries(given) };
  });
  return { roles, granted };
};

export const describeRules = ({ granted }: RuleSet, { called, ids }: Estate): string =>
  JSON.stringify(
    names.map((name) => [
      name,
      (granted.get(ids[name]) ?? []).map(({ actions, fields, when }) => [
        actions?.has('record|read') === true ? 'reads' : 'does not read',
        fields === null ? 'all' : [...fields].map(called),
        when === true ? true : JSON.stringify(when).replaceAll(/fld\w+/g, called),
      ]),
    ]),
  );
