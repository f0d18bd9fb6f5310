// Pressing a button, from wherever it is shown: a question first where its field asks one, then what came of it for the person who pressed.
import { getPress, isUsedUp, type Press, pressButton } from '@rowhouse/contract/button.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fromHere } from '../../app/from-here.ts';
import { onceKey } from '../../record-data/new-record-cells.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { isUnreachable } from '../../ui/problem.ts';
import { showProblem, showToast } from '../../ui/toast.ts';
import { buttonOptions } from './button-words.ts';

interface Pressed {
  tableId: string;
  recordId: string;
  field: Field;
  value: unknown;
}

let asked: Pressed | null = null;
const listeners = new Set<() => void>();
const ask = (next: Pressed | null): void => {
  asked = next;
  for (const listener of listeners) listener();
};

/** The press that waits for a yes. */
export const useAskedPress = (): Pressed | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );

export const dismissPress = (): void => ask(null);

/** A second click before the answer is no second press. */
const underWay = new Set<string>();

const lookEvery = 700;
const longestLook = 60_000;

/** The one who pressed is told when it is done, or that it failed. What takes longer goes on without them. */
const tellOutcome = async (label: string, tableId: string, look: () => Promise<Press>): Promise<void> => {
  for (const end = Date.now() + longestLook; Date.now() < end; ) {
    await new Promise((done) => setTimeout(done, lookEvery));
    const seen = await look().catch(() => undefined);
    if (seen === undefined || seen.state === 'waiting' || seen.state === 'running') continue;
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
    if (seen.state === 'success') showToast({ kind: 'note', title: `“${label}” is done.` });
    else
      showToast({
        kind: 'problem',
        title: seen.state === 'failed' ? `“${label}” failed.` : `“${label}” was cancelled.`,
        detail: seen.error ?? 'Ask an owner of the base to look at the runs of its automation.',
      });
    return;
  }
  showToast({ kind: 'note', title: `“${label}” is still under way.`, detail: 'It goes on without you.' });
};

export const pressNow = async ({ tableId, recordId, field }: Pressed): Promise<void> => {
  const key = `${recordId} ${field.id}`;
  if (underWay.has(key)) return;
  underWay.add(key);
  const { label, action, openInNewTab } = buttonOptions(field);
  // Browsers open a page only at once after a click: it is sent to its address when that is known.
  const leadOn = fromHere();
  const page = action === 'openLink' && openInNewTab !== false ? window.open('', '_blank') : null;
  try {
    const params = { tableId, recordId, fieldId: field.id };
    const headers = { 'Idempotency-Key': onceKey() };
    const send = () => call(pressButton, { params, headers });
    // Without an answer nobody knows whether it counted: once more with the same key, which counts once.
    const { url, runId } = await send().catch((error: unknown) => {
      if (!isUnreachable(error)) throw error;
      return send();
    });
    if (runId !== '') void tellOutcome(label, tableId, () => call(getPress, { params: { ...params, runId } }));
    else if (url === undefined)
      showToast({
        kind: 'note',
        title: `Nothing is connected to “${label}” yet.`,
        detail: 'Make an automation that starts when it is pressed.',
      });
    else if (page === null) await leadOn(() => window.location.assign(url));
    else {
      page.opener = null;
      page.location.href = url;
    }
  } catch (error) {
    page?.close();
    showProblem(error, `“${label}” was not pressed.`);
  } finally {
    underWay.delete(key);
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  }
};

export const press = (pressed: Pressed): void => {
  const options = buttonOptions(pressed.field);
  if (isUsedUp(options, pressed.value))
    showToast({
      kind: 'note',
      title: `“${options.label}” was already pressed.`,
      detail: `It can be pressed ${options.maxCount === 1 ? 'once' : `${options.maxCount} times`} for each record.`,
    });
  else if (options.confirm == null) void pressNow(pressed);
  else ask(pressed);
};

/** The table whose cards are shown. On the page of a share there is none: buttons are shown there, and not pressed. */
export const PressPlace = createContext<string | undefined>(undefined);

export const usePressPlace = (): string | undefined => useContext(PressPlace);
