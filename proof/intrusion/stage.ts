// A table and a form of it, for inputs that are a lot of work, and how their answers are judged.
import { enableShare } from '@rowhouse/contract/share.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { type Attack, type Scene, unless } from './attack.ts';

interface Stage {
  table: TestTable;
  /** Of a form that takes files. */
  shareId: string;
}

const stages = new WeakMap<Scene, Promise<Stage>>();

const build = async ({ ground }: Scene): Promise<Stage> => {
  const table = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'longText' },
    { name: 'Files', type: 'attachment' },
  ]);
  const form = await table.call(createView, {
    params: table,
    body: { type: 'form', columnMeta: { [table.fieldIds['Files'] as string]: { visible: true } } },
  });
  const share = await table.call(enableShare, { params: { tableId: table.tableId, viewId: form.body.id } });
  return { table, shareId: share.body.shareId };
};

export const stageOf = (scene: Scene): Promise<Stage> => {
  const found = stages.get(scene) ?? build(scene);
  stages.set(scene, found);
  return found;
};

export interface Heard {
  status: number;
  error: { message?: string } | undefined;
}

/** A part of the refusal, or undefined for what is taken. */
export const demand = ({ status, error }: Heard, refusal: string | undefined): string[] =>
  refusal === undefined
    ? unless(status < 300, `answered ${status}: ${error?.message ?? ''}`)
    : unless(
        [400, 413].includes(status) && error?.message?.includes(refusal) === true,
        `answered ${status}: ${error?.message ?? ''}`,
      );

/** Taken or refused: what counts is what it costs. */
export const sent = (name: string, send: (table: TestTable, scene: Scene) => Promise<Heard>): Attack => ({
  name,
  isMeasured: true,
  isLong: true,
  async run(scene) {
    const { status, error } = await send((await stageOf(scene)).table, scene);
    return unless(status < 500, `answered ${status}: ${error?.message ?? ''}`);
  },
});
