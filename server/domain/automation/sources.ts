// What the values of a step can name: what started the run, the steps before it, and the records of the loops around it.
import type { Definition, Step } from '@rowhouse/contract/automation-definition.ts';
import type { Tables } from './read-trigger.ts';
import {
  answerSource,
  foundSource,
  itemSource,
  recordSource,
  type Source,
  type Sources,
  triggerSource,
} from './reference.ts';

/** What can be named where the step stands. */
export const sourcesAt = (definition: Definition, tables: Tables, path: string): Sources => {
  const { trigger } = definition;
  const table = trigger !== null && 'tableId' in trigger ? tables.get(trigger.tableId) : undefined;
  const sources = new Map<string, Source>([['trigger', triggerSource(table, trigger?.type ?? '')]]);
  const found = new Map<string, string>();
  const parts = path.split('/');
  let list = definition.steps;
  for (let at = 0; at < parts.length; at += 2) {
    const index = Number(parts[at]);
    for (const step of list.slice(0, index)) addSource(step, tables, sources, found);
    const step = list[index];
    const branch = parts[at + 1];
    if (step === undefined || branch === undefined) break;
    if (step.type === 'if') list = branch === 'then' ? step.then : (step.else ?? []);
    else if (step.type === 'forEach') {
      const of = tables.get(found.get(step.of) ?? '');
      if (of !== undefined) sources.set(step.id, itemSource(of));
      list = step.steps;
    }
  }
  return sources;
};

const addSource = (step: Step, tables: Tables, sources: Map<string, Source>, found: Map<string, string>): void => {
  if (step.type === 'findRecords') {
    found.set(step.id, step.tableId);
    sources.set(step.id, foundSource());
  } else if (step.type === 'callUrl') sources.set(step.id, answerSource());
  else if (
    step.type === 'createRecord' ||
    step.type === 'updateRecord' ||
    step.type === 'upsertRecord' ||
    step.type === 'deleteRecord'
  ) {
    const table = tables.get(step.tableId);
    if (table !== undefined) sources.set(step.id, recordSource(table));
  }
};
