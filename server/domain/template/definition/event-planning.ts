import { choices, type Definition, money, whole } from '../definition.ts';

const moment = { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'UTC' } } as const;

export const eventPlanning: Definition = {
  name: 'Event planning',
  description: 'A conference or workshop with its sessions, rooms, guests and costs, and a form for people to sign up.',
  tables: [
    {
      name: 'Rooms',
      fields: [
        { name: 'Room', type: 'singleLineText' },
        { name: 'Seats', type: 'number', options: whole },
        {
          name: 'Equipment',
          type: 'multipleSelect',
          options: choices('Projector:blueBright', 'Microphone:purpleBright', 'Whiteboard:grayBright'),
        },
      ],
      views: [{ type: 'grid', name: 'All rooms' }],
      records: () => [
        { Room: 'Main hall', Seats: 200, Equipment: ['Projector', 'Microphone'] },
        { Room: 'Workshop room', Seats: 24, Equipment: ['Whiteboard'] },
      ],
    },
    {
      name: 'Sessions',
      fields: [
        { name: 'Session', type: 'singleLineText' },
        {
          name: 'Kind',
          type: 'singleSelect',
          options: choices('Talk:blueBright', 'Workshop:orangeBright', 'Break:grayBright'),
        },
        {
          name: 'Room',
          type: 'link',
          otherSide: 'Sessions',
          options: { relationship: 'manyOne', foreignTableId: '$Rooms' },
        },
        { name: 'Begins', type: 'date', options: moment },
        { name: 'Ends', type: 'date', options: moment },
        {
          name: 'Seats',
          type: 'number',
          isLookup: true,
          lookupOptions: { foreignTableId: '$Rooms', linkFieldId: '$Sessions.Room', lookupFieldId: '$Rooms.Seats' },
        },
        { name: 'Summary', type: 'longText' },
      ],
      laterFields: [
        {
          name: 'Signed up',
          type: 'count',
          options: whole,
          lookupOptions: { linkFieldId: '$Sessions.Guests', foreignTableId: '$Guests' },
        },
        { name: 'Seats left', type: 'formula', options: { expression: '{Seats} - {Signed up}', ...whole } },
      ],
      views: [
        {
          type: 'calendar',
          name: 'Programme',
          options: {
            startDateFieldId: '$Sessions.Begins',
            endDateFieldId: '$Sessions.Ends',
            titleFieldId: '$Sessions.Session',
            colorConfig: { type: 'field', fieldId: '$Sessions.Kind' },
          },
        },
        { type: 'grid', name: 'All sessions', sort: { sortObjs: [{ fieldId: '$Sessions.Begins', order: 'asc' }] } },
        { type: 'grid', name: 'By room', group: [{ fieldId: '$Sessions.Room', order: 'asc' }] },
      ],
      records: (day) => [
        {
          Session: 'Opening',
          Kind: 'Talk',
          Room: 'Main hall',
          Begins: day(30).replace('T00', 'T09'),
          Ends: day(30).replace('T00', 'T10'),
        },
        {
          Session: 'Hands-on workshop',
          Kind: 'Workshop',
          Room: 'Workshop room',
          Begins: day(30).replace('T00', 'T11'),
          Ends: day(30).replace('T00', 'T13'),
          Summary: 'Bring a laptop.',
        },
        {
          Session: 'Lunch',
          Kind: 'Break',
          Room: 'Main hall',
          Begins: day(30).replace('T00', 'T13'),
          Ends: day(30).replace('T00', 'T14'),
        },
        {
          Session: 'Questions and answers',
          Kind: 'Talk',
          Room: 'Main hall',
          Begins: day(30).replace('T00', 'T14'),
          Ends: day(30).replace('T00', 'T15'),
        },
      ],
    },
    {
      name: 'Guests',
      fields: [
        { name: 'Guest', type: 'singleLineText' },
        { name: 'E-mail', type: 'singleLineText', options: { showAs: { type: 'email' } } },
        {
          name: 'Sessions',
          type: 'link',
          otherSide: 'Guests',
          options: { relationship: 'manyMany', foreignTableId: '$Sessions' },
        },
        {
          name: 'Status',
          type: 'singleSelect',
          options: choices('Invited:grayBright', 'Confirmed:greenBright', 'Declined:redBright'),
        },
        {
          name: 'Meal',
          type: 'singleSelect',
          options: choices('Anything:blueBright', 'Vegetarian:greenBright', 'Vegan:tealBright'),
        },
      ],
      views: [
        { type: 'grid', name: 'All guests' },
        { type: 'kanban', name: 'By status', options: { stackFieldId: '$Guests.Status' } },
        { type: 'form', name: 'Sign up', options: { submitLabel: 'Sign up', thanksTitle: 'See you there!' } },
      ],
      records: () => [
        {
          Guest: 'Guest of honour',
          'E-mail': 'honour@example.com',
          Sessions: ['Opening', 'Questions and answers'],
          Status: 'Confirmed',
          Meal: 'Vegetarian',
        },
        { Guest: 'Local press', 'E-mail': 'press@example.com', Sessions: ['Opening'], Status: 'Invited' },
        {
          Guest: 'Partner company',
          'E-mail': 'partner@example.com',
          Sessions: ['Opening', 'Hands-on workshop', 'Lunch'],
          Status: 'Confirmed',
          Meal: 'Anything',
        },
      ],
    },
    {
      name: 'Costs',
      fields: [
        { name: 'Item', type: 'singleLineText' },
        {
          name: 'Category',
          type: 'singleSelect',
          options: choices('Rent:blueBright', 'Food:orangeBright', 'Technology:purpleBright', 'Printing:grayBright'),
        },
        { name: 'Planned', type: 'number', options: money },
        { name: 'Paid', type: 'number', options: money },
        { name: 'Difference', type: 'formula', options: { expression: '{Planned} - {Paid}', ...money } },
        { name: 'Invoice', type: 'attachment' },
      ],
      views: [
        {
          type: 'grid',
          name: 'All costs',
          columnMeta: { '$Costs.Planned': { statisticFunc: 'sum' }, '$Costs.Paid': { statisticFunc: 'sum' } },
        },
      ],
      records: () => [
        { Item: 'Main hall', Category: 'Rent', Planned: 2_500, Paid: 2_500 },
        { Item: 'Lunch', Category: 'Food', Planned: 1_800, Paid: 0 },
        { Item: 'Sound and light', Category: 'Technology', Planned: 900, Paid: 450 },
      ],
    },
  ],
};
