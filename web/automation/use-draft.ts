// The draft of an automation while it is edited: shown at once, saved a moment later, one request after the other.
import { type Automation, updateAutomation } from '@rowhouse/contract/automation.ts';
import type { Step, Trigger } from '@rowhouse/contract/automation-definition.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { automationQuery, automationsQuery } from './queries.ts';

interface Draft {
  trigger: Trigger | null;
  steps: Step[];
}

export interface DraftState {
  draft: Draft;
  saving: 'saved' | 'saving' | 'failed';
  error: unknown;
  change: (part: Partial<Draft>) => void;
  /** When all of it is with the server. */
  settled: () => Promise<void>;
  /** Takes what the server has. */
  replace: (draft: Draft) => void;
}

const saveAfter = 500;

export const useDraft = (baseId: string, automation: Automation): DraftState => {
  const [draft, setDraft] = useState<Draft>({ trigger: automation.trigger, steps: automation.steps });
  const [saving, setSaving] = useState<DraftState['saving']>('saved');
  const [error, setError] = useState<unknown>(null);
  const latest = useRef(draft);
  const unsent = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sending = useRef<Promise<void>>(Promise.resolve());
  const { id } = automation;

  const send = useCallback(async (): Promise<void> => {
    const { trigger, steps } = latest.current;
    try {
      const saved = await call(updateAutomation, { params: { baseId, automationId: id }, body: { trigger, steps } });
      queryClient.setQueryData(automationQuery(baseId, id).queryKey, saved);
      setError(null);
      setSaving(unsent.current === undefined ? 'saved' : 'saving');
    } catch (thrown) {
      setError(thrown);
      setSaving('failed');
    }
  }, [baseId, id]);
  const flush = useCallback((): Promise<void> => {
    if (unsent.current !== undefined) {
      clearTimeout(unsent.current);
      unsent.current = undefined;
      sending.current = sending.current.then(send);
    }
    return sending.current;
  }, [send]);
  useEffect(
    () => () => {
      void flush().then(() => queryClient.invalidateQueries({ queryKey: automationsQuery(baseId).queryKey }));
    },
    [flush, baseId],
  );

  return {
    draft,
    saving,
    error,
    change(part) {
      latest.current = { ...latest.current, ...part };
      setDraft(latest.current);
      setSaving('saving');
      clearTimeout(unsent.current);
      unsent.current = setTimeout(() => void flush(), saveAfter);
    },
    settled: flush,
    replace(next) {
      clearTimeout(unsent.current);
      unsent.current = undefined;
      latest.current = next;
      setDraft(next);
      setSaving('saved');
    },
  };
};
