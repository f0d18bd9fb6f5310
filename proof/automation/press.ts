// People who press buttons while the server is killed. A press has a key and is repeated until it is answered, as the app does: each counts once, and starts its automation once.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { activateAutomation, createAutomation } from '@rowhouse/contract/automation.ts';
import { pressButton } from '@rowhouse/contract/button.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { getRecord } from '@rowhouse/contract/record.ts';
import { openLine } from '../client.ts';
import type { Ground } from '../kill/ground.ts';
import { good } from '../stage.ts';

interface Presser {
  automationId: string;
  /** Until the server falls, or `count` presses are answered. */
  press: (count: number, isOver: () => boolean) => Promise<void>;
  /** The press that was cut off last is sent until it is answered. */
  settle: () => Promise<void>;
  answered: () => number;
  /** What the cell says. */
  counted: () => Promise<number>;
}

/** Presses the button of one record; each writes `mark` into the log. */
export const layButton = async (ground: Ground, logId: string, mark: string): Promise<Presser> => {
  const { origin, token, baseId, tableId } = ground;
  const recordId = ground.shared[0] as string;
  const line = openLine(origin, token);
  const body = { name: 'Press', type: 'button', options: { label: 'Press' } } as const;
  const fieldId = good(await line.call(createField, { params: { tableId }, body })).body.id;
  const made = good(
    await line.call(createAutomation, {
      params: { baseId },
      body: {
        name: 'Pressed',
        trigger: { type: 'buttonPressed', tableId, fieldIds: [fieldId] },
        steps: [{ type: 'createRecord', id: 'log', tableId: logId, fields: { Text: mark } }],
      },
    }),
  ).body;
  good(await line.call(activateAutomation, { params: { baseId, automationId: made.id } }));
  line.hangUp();
  let answered = 0;
  let key: string | undefined;
  const params = { tableId, recordId, fieldId };
  const press = async (count: number, isOver: () => boolean): Promise<void> => {
    const own = openLine(origin, token);
    for (let done = 0; done < count && !isOver(); ) {
      key ??= randomUUID();
      const answer = await own
        .call(pressButton, { params, headers: { 'Idempotency-Key': key } })
        .catch(() => undefined);
      if (answer?.status === 200) {
        answered += 1;
        done += 1;
        key = undefined;
      } else await sleep(20);
    }
    own.hangUp();
  };
  return {
    automationId: made.id,
    press,
    settle: () => (key === undefined ? Promise.resolve() : press(1, () => false)),
    answered: () => answered,
    counted: async () => {
      const own = openLine(origin, token);
      const { fields } = good(
        await own.call(getRecord, { params: { tableId, recordId }, query: { fieldKeyType: 'id' } }),
      ).body;
      own.hangUp();
      return (fields[fieldId] as { count: number } | undefined)?.count ?? 0;
    },
  };
};
