// Requests about rights and automations that name every parameter: a role with all it can grant, an automation with each kind of trigger and step.
import type { Request } from '../../test/support/access-walk.ts';
import type { Holdings } from '../estate.ts';

const filterOf = ({ textFieldId }: Holdings) => ({
  conjunction: 'and' as const,
  filterSet: [{ fieldId: textFieldId, operator: 'contains', value: 'text' }],
});

const roleOf = (things: Holdings) => ({
  name: 'Role',
  description: 'Described',
  tables: [
    {
      tableId: things.tableId,
      enabled: true,
      disabledActions: ['record|delete'],
      fieldRecordPermission: [{ fieldId: things.fieldId, disabledActions: ['record|update'] }],
      recordFilter: filterOf(things),
      enabledViewIds: [things.viewId],
    },
  ],
  nodes: [{ nodeType: 'workflow', nodeId: things.nodeId, enabled: true }],
});

const draftOf = (things: Holdings) => ({ name: 'Role', tables: roleOf(things).tables });

const steps = (things: Holdings) => {
  const { tableId, recordId, textFieldId } = things;
  const fields = { [textFieldId]: { template: 'Text {trigger.recordName}' } };
  return [
    { type: 'createRecord', id: 'made', tableId, fields },
    { type: 'updateRecord', id: 'changed', tableId, recordId, fields },
    { type: 'upsertRecord', id: 'either', tableId, matchFieldIds: [textFieldId], fields },
    {
      type: 'findRecords',
      id: 'found',
      tableId,
      filter: filterOf(things),
      sort: [{ fieldId: things.fieldId, order: 'asc' }],
    },
    {
      type: 'forEach',
      id: 'each',
      of: 'found',
      steps: [{ type: 'comment', id: 'said', tableId, recordId, text: 'Text' }],
    },
    { type: 'if', id: 'asked', condition: { of: 'trigger', filter: filterOf(things) }, then: [], else: [] },
    { type: 'notify', id: 'told', userIds: [things.baseMemberId], message: 'Text' },
    {
      type: 'callUrl',
      id: 'called',
      url: 'https://receiver.invalid/',
      method: 'POST',
      body: { template: '{made.recordId}' },
    },
    { type: 'deleteRecord', id: 'gone', tableId, recordId: { formula: '{made.recordId}' } },
  ];
};

const automations = (things: Holdings): Request[] => {
  const { tableId, viewId, fieldId, dateFieldId } = things;
  const filter = filterOf(things);
  return [
    { type: 'recordUpdated', tableId, fieldIds: [fieldId], filter },
    { type: 'viewEntered', tableId, viewId },
    { type: 'buttonPressed', tableId, fieldIds: [fieldId], filter },
    { type: 'dateReached', tableId, fieldId: dateFieldId, days: -3, time: '09:00', timeZone: 'Europe/Berlin', filter },
  ].map((trigger) => ({ body: { name: 'Automation', description: 'Described', trigger, steps: steps(things) } }));
};

const literal = (value: unknown) => ({ resolvable: true, type: 'literal', value });

const workflowNodes = (things: Holdings): Request[] => {
  const { tableId, triggerId, textFieldId, recordId } = things;
  const title = { resolvable: true, type: 'fact', fact: triggerId, path: `$.record.fields.${textFieldId}` };
  const fields = { [textFieldId]: { resolvable: true, type: 'array', nodes: [literal('Text '), title] } };
  return [
    ['createRecord', { tableId, fields }],
    ['updateRecord', { tableId, recordId: literal(recordId), fields }],
    ['getRecords', { tableId, filter: filterOf(things), take: 10 }],
    ['httpRequest', { url: literal('https://receiver.invalid/'), method: 'post', body: title }],
    ['deleteRecord', { tableId, recordId }],
  ].map(([type, config]) => ({ body: { parentNodeId: triggerId, type, name: 'Node', config } }));
};

const workflowTriggers = (things: Holdings): Request[] => {
  const { tableId, viewId, fieldId } = things;
  const filter = filterOf(things);
  return [
    ['recordUpdated', { tableId, watchFieldIds: [fieldId], filter }],
    ['formSubmitted', { tableId, formId: viewId }],
    ['buttonClick', { tableId, watchFieldIds: ['all'], filter }],
  ].map(([type, config]) => ({ body: { type, config } }));
};

export const programRequests: Record<string, (things: Holdings) => Request[]> = {
  createAuthorityRole: (things) => [{ body: { ...roleOf(things), enabled: false } }],
  updateAuthorityRole: (things) => [{ body: roleOf(things) }],
  previewRights: (things) => [
    {
      body: {
        enabled: true,
        role: {
          ...draftOf(things),
          id: things.authorityMatrixRoleId,
          userIds: [things.baseMemberId],
          departmentIds: [things.groupId],
        },
      },
    },
  ],
  setAuthorityRoleMembers: ({ groupId }) => [{ body: { userIds: [], departmentIds: [groupId] } }],
  createAutomation: automations,
  updateAutomation: automations,
  testAutomation: ({ recordId }) => [{ body: { recordId } }],
  createWorkflow: (things) =>
    workflowTriggers(things).map(({ body }) => ({ body: { name: 'Workflow', trigger: body } })),
  createWorkflowTrigger: workflowTriggers,
  createWorkflowAction: workflowNodes,
  createWorkflowLogic: (things) =>
    [
      ['condition', { conditions: filterOf(things) }],
      ['condition', { conditions: { fact: things.triggerId, filter: filterOf(things) } }],
      ['Repeat', { fact: { resolvable: true, type: 'fact', fact: things.actionId, path: '$.records' } }],
    ].map(([type, config]) => ({ body: { parentNodeId: things.triggerId, type, config } })),
  observeWorkflows: ({ workflowId, baseId, spaceId }) => [
    { query: { workflowIds: [workflowId], baseIds: [baseId], spaceIds: [spaceId], relativeTime: '7d' } },
  ],
  testWorkflow: ({ recordId }) => [{ body: { recordId } }],
  testWorkflowNode: ({ recordId }) => [{ body: { recordId } }],
  listWorkflowFilterRecords: (things) => [{ body: filterOf(things) }],
};
