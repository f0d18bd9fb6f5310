import { choices, type Definition, money, percent, plainDate, whole } from '../definition.ts';

export const projectTracker: Definition = {
  name: 'Project tracker',
  description: 'Projects with their tasks and milestones: who waits for what, how far everything is, and what is late.',
  tables: [
    {
      name: 'Projects',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        {
          name: 'Status',
          type: 'singleSelect',
          options: choices('Planned:grayBright', 'Active:blueBright', 'On hold:yellowBright', 'Done:greenBright'),
        },
        {
          name: 'Team',
          type: 'singleSelect',
          options: choices(
            'Design:purpleBright',
            'Engineering:cyanBright',
            'Marketing:orangeBright',
            'Operations:tealBright',
          ),
        },
        { name: 'Starts', type: 'date', options: plainDate },
        { name: 'Ends', type: 'date', options: plainDate },
        { name: 'Budget', type: 'number', options: money },
        { name: 'Goal', type: 'longText' },
      ],
      laterFields: [
        {
          name: 'Hours planned',
          type: 'rollup',
          options: { expression: 'sum({values})', formatting: { type: 'decimal', precision: 1 } },
          lookupOptions: { foreignTableId: '$Tasks', linkFieldId: '$Projects.Tasks', lookupFieldId: '$Tasks.Hours' },
        },
        {
          name: 'Tasks in all',
          type: 'count',
          options: whole,
          lookupOptions: { linkFieldId: '$Projects.Tasks', foreignTableId: '$Tasks' },
        },
        {
          name: 'Tasks done',
          type: 'rollup',
          options: { expression: 'sum({values})', ...whole },
          lookupOptions: { foreignTableId: '$Tasks', linkFieldId: '$Projects.Tasks', lookupFieldId: '$Tasks.Done' },
        },
        {
          name: 'Progress',
          type: 'formula',
          options: { expression: 'IF({Tasks in all} > 0, {Tasks done} / {Tasks in all}, 0)', ...percent },
        },
      ],
      views: [
        { type: 'grid', name: 'All projects' },
        { type: 'kanban', name: 'By status', options: { stackFieldId: '$Projects.Status' } },
        {
          type: 'timeline',
          name: 'Timeline',
          options: {
            startDateFieldId: '$Projects.Starts',
            endDateFieldId: '$Projects.Ends',
            laneFieldId: '$Projects.Team',
            workingDays: [1, 2, 3, 4, 5],
          },
        },
      ],
      records: (day) => [
        {
          Name: 'New website',
          Status: 'Active',
          Team: 'Design',
          Starts: day(-21),
          Ends: day(30),
          Budget: 18_000,
          Goal: 'Visitors find the right product in three clicks.',
        },
        {
          Name: 'Mobile app',
          Status: 'Active',
          Team: 'Engineering',
          Starts: day(-10),
          Ends: day(75),
          Budget: 42_000,
          Goal: 'Orders can be placed on the way.',
        },
        {
          Name: 'Spring campaign',
          Status: 'Planned',
          Team: 'Marketing',
          Starts: day(14),
          Ends: day(60),
          Budget: 9_500,
        },
        { Name: 'Office move', Status: 'Done', Team: 'Operations', Starts: day(-90), Ends: day(-30), Budget: 12_000 },
      ],
    },
    {
      name: 'Tasks',
      fields: [
        { name: 'Task', type: 'singleLineText' },
        {
          name: 'Project',
          type: 'link',
          otherSide: 'Tasks',
          options: { relationship: 'manyOne', foreignTableId: '$Projects' },
        },
        {
          name: 'Status',
          type: 'singleSelect',
          options: choices(
            'To do:grayBright',
            'In progress:yellowBright',
            'In review:purpleBright',
            'Done:greenBright',
          ),
        },
        { name: 'Priority', type: 'rating', options: { icon: 'star', color: 'yellowBright', max: 3 } },
        { name: 'Owner', type: 'user', options: { isMultiple: false, shouldNotify: true } },
        { name: 'Due', type: 'date', options: plainDate },
        { name: 'Hours', type: 'number', options: { formatting: { type: 'decimal', precision: 1 } } },
        {
          name: 'Done',
          type: 'formula',
          options: { expression: 'IF({Status} = "Done", 1, 0)', formatting: { type: 'decimal', precision: 0 } },
        },
        { name: 'Notes', type: 'longText' },
      ],
      views: [
        { type: 'grid', name: 'All tasks', group: [{ fieldId: '$Tasks.Project', order: 'asc' }] },
        { type: 'kanban', name: 'Board', options: { stackFieldId: '$Tasks.Status' } },
        {
          type: 'calendar',
          name: 'Due dates',
          options: { startDateFieldId: '$Tasks.Due', endDateFieldId: '$Tasks.Due', titleFieldId: '$Tasks.Task' },
        },
        {
          type: 'grid',
          name: 'Late',
          filter: {
            conjunction: 'and',
            filterSet: [
              { fieldId: '$Tasks.Status', operator: 'isNot', value: 'Done' },
              { fieldId: '$Tasks.Due', operator: 'isBefore', value: { mode: 'today', timeZone: 'UTC' } },
            ],
          },
          sort: { sortObjs: [{ fieldId: '$Tasks.Due', order: 'asc' }] },
        },
        { type: 'form', name: 'New task', options: { submitLabel: 'Add task' } },
      ],
      records: (day) => [
        { Task: 'Collect requirements', Project: 'New website', Status: 'Done', Priority: 2, Due: day(-14), Hours: 12 },
        {
          Task: 'Draw first layouts',
          Project: 'New website',
          Status: 'In review',
          Priority: 3,
          Due: day(-1),
          Hours: 20,
        },
        { Task: 'Write the texts', Project: 'New website', Status: 'In progress', Priority: 2, Due: day(6), Hours: 16 },
        { Task: 'Choose a framework', Project: 'Mobile app', Status: 'Done', Priority: 3, Due: day(-5), Hours: 6 },
        {
          Task: 'Sign in and accounts',
          Project: 'Mobile app',
          Status: 'In progress',
          Priority: 3,
          Due: day(10),
          Hours: 30,
        },
        { Task: 'Plan the budget', Project: 'Spring campaign', Status: 'To do', Priority: 1, Due: day(15), Hours: 4 },
        { Task: 'Return the keys', Project: 'Office move', Status: 'Done', Priority: 1, Due: day(-30), Hours: 1 },
      ],
    },
    {
      name: 'Milestones',
      fields: [
        { name: 'Milestone', type: 'singleLineText' },
        {
          name: 'Project',
          type: 'link',
          otherSide: 'Milestones',
          options: { relationship: 'manyOne', foreignTableId: '$Projects' },
        },
        { name: 'Date', type: 'date', options: plainDate },
        { name: 'Reached', type: 'checkbox' },
        {
          name: 'Days left',
          type: 'formula',
          options: {
            expression: 'IF({Reached}, 0, DATETIME_DIFF({Date}, TODAY(), "day"))',
            formatting: { type: 'decimal', precision: 0 },
          },
        },
      ],
      views: [
        { type: 'grid', name: 'All milestones', sort: { sortObjs: [{ fieldId: '$Milestones.Date', order: 'asc' }] } },
      ],
      records: (day) => [
        { Milestone: 'Design approved', Project: 'New website', Date: day(7) },
        { Milestone: 'Website online', Project: 'New website', Date: day(30) },
        { Milestone: 'First test version', Project: 'Mobile app', Date: day(40) },
        { Milestone: 'Moved in', Project: 'Office move', Date: day(-30), Reached: true },
      ],
    },
  ],
};
