// What some endpoints need before they let anybody through: a file that has arrived, a job that has ended, a service of somebody else. The walk with canaries makes it as
// the owner for tokens that have the scopes. What no token with a part of the scopes ever gets through is in `never-by-token.ts`, with the reason.
import { activateAutomation, createAutomation, getAutomationRun } from '@rowhouse/contract/automation.ts';
import type { Step } from '@rowhouse/contract/automation-definition.ts';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { createBaseShare } from '@rowhouse/contract/base-share.ts';
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import { exportBase } from '@rowhouse/contract/base-file.ts';
import { createCheckout } from '@rowhouse/contract/billing.ts';
import { pressButton } from '@rowhouse/contract/button.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteRecordTemplate } from '@rowhouse/contract/record-template.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { createWebhook } from '@rowhouse/contract/webhook.ts';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../server/config.ts';
import { addJob, requestCancel } from '../../server/work/job.sql.ts';
import { nodesOf, type Tenant } from './access-tenant.ts';
import type { Request } from './access-walk.ts';
import { type AirtableAnswers, startAirtable } from './airtable-answers.ts';
import { type Aviary, inCells } from './aviary.ts';
import { startFakeStripe, webhookSecret } from './stripe.ts';
import type { World } from './world.ts';

/** Services of others that a server under the walk talks to. */
export interface Outside {
  airtable: Pick<AirtableAnswers, 'url' | 'key'>;
  config: Partial<Config>;
  /** The same for a program. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export const startOutside = async (): Promise<Outside> => {
  const [airtable, stripe] = await Promise.all([startAirtable(), startFakeStripe()]);
  return {
    airtable,
    config: {
      fetchPrivate: true,
      stripeSecretKey: 'sk_test_1',
      stripeWebhookSecret: webhookSecret,
      stripeUrl: stripe.url,
    },
    env: {
      ROWHOUSE_FETCH_PRIVATE: 'yes',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
    },
    close: async () => {
      airtable.close();
      await stripe.close();
    },
  };
};

interface Scene {
  world: World;
  owner: Tenant['owner'];
  aviary: Aviary;
  outside: Outside;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(`set-up failed: ${JSON.stringify(error)}`);
  return body;
};

/** Made once for all tokens that walk over the same things. */
const once = <T>(make: (scene: Scene) => Promise<T>): ((scene: Scene) => Promise<T>) => {
  const made = new WeakMap<Aviary, Promise<T>>();
  return (scene) => {
    const known = made.get(scene.aviary) ?? make(scene);
    made.set(scene.aviary, known);
    return known;
  };
};

const uploaded = async ({ owner }: Scene, bytes: Uint8Array, contentType: string, type: 1 | 5 | 7, baseId?: string) => {
  const body = { contentType, contentLength: bytes.length, type, ...(baseId === undefined ? {} : { baseId }) };
  const { url, token } = must(await owner.call(createFileSignature, { body }));
  const sent = await fetch(url, { method: 'PUT', body: bytes as never, headers: { 'content-type': contentType } });
  if (!sent.ok) throw new Error(`upload failed: ${sent.status}`);
  return must(await owner.call(notifyFile, { params: { token }, query: { filename: `${inCells} upload` } }));
};

/** A base with cells that nobody shows without the right to them, exported. */
const exported = once(async (scene) => {
  const { owner, aviary } = scene;
  const { baseId } = aviary.things;
  const answer = await owner.call(exportBase, { params: { baseId }, query: {} });
  must(answer);
  const jobId = answer.headers.get('x-job-id') as string;
  for (;;) {
    const { state, result, error } = must(await owner.call(getJob, { params: { jobId } }));
    if (state === 'failed') throw new Error(`the export failed: ${error}`);
    if (state === 'done') {
      const { url } = result as { url: string };
      aviary.exportedFiles.push(new URL(url).pathname);
      return { jobId, bytes: new Uint8Array(await (await fetch(url)).arrayBuffer()) };
    }
    await setTimeout(20);
  }
});

const baseFile = once(async (scene) => uploaded(scene, (await exported(scene)).bytes, 'application/x-tar', 5));

/** A table with a button that starts an automation of these steps. */
const buttonFor = async ({ owner, aviary }: Scene, stepsFor: (tableId: string) => Step[]) => {
  const { baseId } = aviary.things;
  const table = must(
    await owner.call(createTable, {
      params: { baseId },
      body: { name: 'Buttons', records: [{ fields: { Name: `${inCells} of a button` } }] },
    }),
  );
  const button = must(
    await owner.call(createField, {
      params: { tableId: table.id },
      body: { type: 'button', name: 'Press', options: { label: 'Press', resetCount: true, maxCount: 1_000_000 } },
    }),
  );
  const automation = must(
    await owner.call(createAutomation, {
      params: { baseId },
      body: {
        name: 'Pressed',
        trigger: { type: 'buttonPressed', tableId: table.id, fieldIds: [button.id] },
        steps: stepsFor(table.id),
      },
    }),
  );
  const ofAutomation = { baseId, automationId: automation.id };
  must(await owner.call(activateAutomation, { params: ofAutomation }));
  const params = { tableId: table.id, recordId: table.records[0]?.id as string, fieldId: button.id };
  const press = async (): Promise<string> => must(await owner.call(pressButton, { params })).runId;
  return { params, press, ofAutomation };
};

const finding = once((scene) => buttonFor(scene, (tableId) => [{ type: 'findRecords', id: 'all', tableId }]));
const pressed = once(async (scene) => {
  const { params, press } = await finding(scene);
  return { params, runId: await press() };
});
/** Something follows: behind a wait that is the last step there is nothing to wait for. */
const waiting = once((scene) =>
  buttonFor(scene, (tableId) => [
    { type: 'wait', id: 'step1', seconds: 3_600 },
    { type: 'findRecords', id: 'all', tableId },
  ]),
);
/** A text is no number of seconds. */
const failing = once((scene) =>
  buttonFor(scene, () => [{ type: 'wait', id: 'step1', seconds: { template: '{trigger.recordName}' } }]),
);

const runOf = async (
  { owner }: Scene,
  { press, ofAutomation }: Awaited<ReturnType<typeof buttonFor>>,
  state: string,
) => {
  const params = { ...ofAutomation, runId: await press() };
  for (;;) {
    const run = must(await owner.call(getAutomationRun, { params }));
    if (run.state === state) return params;
    if (run.endedTime !== undefined) throw new Error(`the run is ${run.state}: ${run.error}`);
    await setTimeout(20);
  }
};

const picture = once(async (scene) => {
  const { owner, aviary } = scene;
  const { baseId, tableId, recordId } = aviary.things;
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const { path } = await uploaded(scene, svg, 'image/svg+xml', 7, baseId);
  must(
    await owner.call(createComment, {
      params: { tableId, recordId },
      body: { content: [{ type: 'img', path, width: 9 }] },
    }),
  );
  return path;
});

const webhookOf = once(async ({ owner, aviary }) => {
  const { baseId } = aviary.things;
  const body = { name: 'Walk', url: 'https://receiver.invalid/', events: ['view.changed' as const] };
  return { baseId, webhookId: must(await owner.call(createWebhook, { params: { baseId }, body })).id };
});

/** Of the whole base, for copies. */
const sharedBase = once(async ({ owner, aviary }) => {
  const params = { baseId: aviary.things.baseId };
  return must(await owner.call(createBaseShare, { params, body: { allowSave: true } })).shareId;
});

/** Of an import that was stopped and whose file is there. */
const stoppedImport = async (scene: Scene): Promise<string> => {
  const { world, aviary } = scene;
  const { baseId, tableId } = aviary.things;
  const { token } = await uploaded(scene, Buffer.from('Number\n1\n'), 'text/csv', 5);
  const id = await addJob(world.services.db, {
    kind: 'import-records',
    baseId,
    createdBy: scene.owner.userId,
    payload: {
      baseId,
      tableId,
      token,
      fileType: 'csv',
      sheet: 'Import Table',
      skipRows: 1,
      columns: { [aviary.fields.number]: 0 },
      actions: ['table|import', 'record|create'],
      by: { userId: scene.owner.userId, tokenId: null, clientId: null },
    },
    delay: 3_600,
  });
  await requestCancel(world.services.db, id);
  return id;
};

const boundary = 'rowhouse-walk';
const asForm = (text: string): NonNullable<Request['raw']> => ({
  type: `multipart/form-data; boundary=${boundary}`,
  text: `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="walk.txt"\r\ncontent-type: text/plain\r\n\r\n${text}\r\n--${boundary}--\r\n`,
});

const somewhere = 'https://app.example.com';

export const setUps: Record<string, (scene: Scene) => Promise<Request[]>> = {
  getJobFile: async (scene) => [{ params: { jobId: (await exported(scene)).jobId } }],
  getJob: async (scene) => [{ params: { jobId: (await exported(scene)).jobId } }],
  importBaseStream: async (scene) => [
    { body: { notify: await baseFile(scene), spaceId: scene.aviary.things.spaceId } },
  ],
  importBase: async (scene) => [{ body: { notify: await baseFile(scene), spaceId: scene.aviary.things.spaceId } }],
  listOtherBases: async ({ aviary, outside: { airtable } }) => [
    { body: { spaceId: aviary.things.spaceId, source: { type: 'airtable', apiKey: airtable.key, url: airtable.url } } },
  ],
  continueJob: async (scene) => [{ params: { jobId: await stoppedImport(scene) } }],
  createCheckout: async ({ aviary }) => [
    {
      params: { spaceId: aviary.things.spaceId },
      body: { priceId: 'price_pro_month', quantity: 50, successUrl: somewhere, cancelUrl: somewhere },
    },
  ],
  createPortal: async ({ owner, aviary }) => {
    const params = { spaceId: aviary.things.spaceId };
    const body = { priceId: 'price_pro_month', quantity: 50, successUrl: somewhere, cancelUrl: somewhere };
    must(await owner.call(createCheckout, { params, body }));
    return [{ params, body: { returnUrl: somewhere } }];
  },
  pressButton: async (scene) => [{ params: (await pressed(scene)).params }],
  resetButton: async (scene) => [{ params: (await pressed(scene)).params }],
  getPress: async (scene) => {
    const { params, runId } = await pressed(scene);
    return [{ params: { ...params, runId } }];
  },
  resumeAutomationRun: async (scene) => [{ params: await runOf(scene, await failing(scene), 'failed') }],
  cancelAutomationRun: async (scene) => [{ params: await runOf(scene, await waiting(scene), 'waiting') }],
  createShortLink: async ({ aviary }) => [{ body: { type: 'view-share', resourceId: aviary.shareId } }],
  copySharedBase: async (scene) => [
    {
      params: { shareId: await sharedBase(scene) },
      body: { spaceId: scene.aviary.things.spaceId, withRecords: false },
    },
  ],
  testWebhook: async (scene) => [{ params: await webhookOf(scene) }],
  deleteRecordTemplate: async ({ aviary }) => [
    { params: { tableId: aviary.things.tableId, recordTemplateId: await aviary.birdTemplate() } },
  ],
  restoreRecordTemplate: async ({ owner, aviary }) => {
    const params = { tableId: aviary.things.tableId, recordTemplateId: await aviary.birdTemplate() };
    must(await owner.call(deleteRecordTemplate, { params }));
    return [{ params }];
  },
  generateWorkflowToken: async ({ owner, aviary }) => {
    const { baseId } = aviary.things;
    const made = must(
      await owner.call(createAutomation, {
        params: { baseId },
        body: { name: 'Called', trigger: { type: 'incomingCall' }, steps: [] },
      }),
    );
    return [{ params: { baseId, ...nodesOf(made.id) } }];
  },
  uploadAttachment: async ({ owner, aviary: { things, fields } }) => {
    // One of its own each: a cell has room for so many files.
    const made = must(await owner.call(createRecords, { params: things, body: { records: [{ fields: {} }] } }));
    return [
      {
        params: { tableId: things.tableId, recordId: made.records[0]?.id as string, fieldId: fields.files },
        raw: asForm('text'),
      },
    ];
  },
  querySql: async ({ owner, aviary }) => {
    const { baseId } = aviary.things;
    must(await owner.call(createDbConnection, { params: { baseId } }));
    return [{ params: { baseId }, body: { sql: 'select * from "Birds"' } }];
  },
  insertAttachments: async (scene) => {
    const { owner, aviary } = scene;
    const { tableId, baseId } = aviary.things;
    const made = must(await owner.call(createRecords, { params: { tableId }, body: { records: [{ fields: {} }] } }));
    const { token } = await uploaded(scene, Buffer.from('text'), 'text/plain', 1, baseId);
    return [
      {
        params: { tableId, recordId: made.records[0]?.id as string, fieldId: aviary.fields.files },
        body: { attachments: [{ token, name: inCells }] },
      },
    ];
  },
  getCommentAttachment: async (scene) => {
    const { tableId, recordId } = scene.aviary.things;
    return [{ params: { tableId, recordId, path: await picture(scene) } }];
  },
};
