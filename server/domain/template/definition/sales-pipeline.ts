import { choices, type Definition, money, percent, plainDate, whole } from '../definition.ts';

export const salesPipeline: Definition = {
  name: 'Sales pipeline',
  description:
    'Companies, contacts and deals from the first call to the signature, with what each deal is worth by its chance.',
  tables: [
    {
      name: 'Companies',
      fields: [
        { name: 'Company', type: 'singleLineText' },
        {
          name: 'Industry',
          type: 'singleSelect',
          options: choices(
            'Retail:orangeBright',
            'Software:blueBright',
            'Manufacturing:grayBright',
            'Health:greenBright',
          ),
        },
        { name: 'Employees', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
        { name: 'Website', type: 'singleLineText', options: { showAs: { type: 'url' } } },
        { name: 'Notes', type: 'longText' },
      ],
      laterFields: [
        {
          name: 'Open deals',
          type: 'count',
          options: whole,
          lookupOptions: {
            linkFieldId: '$Companies.Deals',
            foreignTableId: '$Deals',
            filter: {
              conjunction: 'and',
              filterSet: [{ fieldId: '$Deals.Stage', operator: 'isNoneOf', value: ['Won', 'Lost'] }],
            },
          },
        },
        {
          name: 'Value won',
          type: 'rollup',
          options: { expression: 'sum({values})', ...money },
          lookupOptions: {
            foreignTableId: '$Deals',
            linkFieldId: '$Companies.Deals',
            lookupFieldId: '$Deals.Value',
            filter: { conjunction: 'and', filterSet: [{ fieldId: '$Deals.Stage', operator: 'is', value: 'Won' }] },
          },
        },
      ],
      views: [
        { type: 'grid', name: 'All companies' },
        { type: 'gallery', name: 'Cards' },
      ],
      records: () => [
        { Company: 'Northwind Grocers', Industry: 'Retail', Employees: 420, Website: 'https://northwind.example' },
        { Company: 'Bluebird Software', Industry: 'Software', Employees: 65, Website: 'https://bluebird.example' },
        {
          Company: 'Stonebridge Tools',
          Industry: 'Manufacturing',
          Employees: 1_200,
          Website: 'https://stonebridge.example',
        },
        { Company: 'Greenfield Clinic', Industry: 'Health', Employees: 150, Website: 'https://greenfield.example' },
      ],
    },
    {
      name: 'Contacts',
      fields: [
        { name: 'Contact', type: 'singleLineText' },
        {
          name: 'Company',
          type: 'link',
          otherSide: 'Contacts',
          options: { relationship: 'manyOne', foreignTableId: '$Companies' },
        },
        { name: 'Role', type: 'singleLineText' },
        { name: 'E-mail', type: 'singleLineText', options: { showAs: { type: 'email' } } },
        { name: 'Last contact', type: 'date', options: plainDate },
      ],
      views: [
        { type: 'grid', name: 'All contacts', group: [{ fieldId: '$Contacts.Company', order: 'asc' }] },
        { type: 'form', name: 'New contact', options: { submitLabel: 'Add contact' } },
      ],
      records: (day) => [
        {
          Contact: 'Head of purchasing, Northwind',
          Company: 'Northwind Grocers',
          Role: 'Head of purchasing',
          'E-mail': 'purchasing@northwind.example',
          'Last contact': day(-3),
        },
        {
          Contact: 'CTO, Bluebird',
          Company: 'Bluebird Software',
          Role: 'CTO',
          'E-mail': 'cto@bluebird.example',
          'Last contact': day(-12),
        },
        {
          Contact: 'Plant manager, Stonebridge',
          Company: 'Stonebridge Tools',
          Role: 'Plant manager',
          'E-mail': 'plant@stonebridge.example',
          'Last contact': day(-1),
        },
        {
          Contact: 'Office manager, Greenfield',
          Company: 'Greenfield Clinic',
          Role: 'Office manager',
          'E-mail': 'office@greenfield.example',
          'Last contact': day(-40),
        },
      ],
    },
    {
      name: 'Deals',
      fields: [
        { name: 'Deal', type: 'singleLineText' },
        {
          name: 'Company',
          type: 'link',
          otherSide: 'Deals',
          options: { relationship: 'manyOne', foreignTableId: '$Companies' },
        },
        {
          name: 'Contact',
          type: 'link',
          otherSide: 'Deals',
          options: { relationship: 'manyOne', foreignTableId: '$Contacts' },
        },
        {
          name: 'Stage',
          type: 'singleSelect',
          options: choices(
            'Lead:grayBright',
            'Qualified:blueBright',
            'Proposal:purpleBright',
            'Negotiation:yellowBright',
            'Won:greenBright',
            'Lost:redBright',
          ),
        },
        { name: 'Value', type: 'number', options: money },
        { name: 'Chance', type: 'number', options: percent },
        { name: 'Expected value', type: 'formula', options: { expression: '{Value} * {Chance}', ...money } },
        { name: 'Closes', type: 'date', options: plainDate },
        { name: 'Owner', type: 'user', options: { isMultiple: false, shouldNotify: true } },
        { name: 'Next step', type: 'singleLineText' },
      ],
      views: [
        { type: 'kanban', name: 'Pipeline', options: { stackFieldId: '$Deals.Stage' } },
        {
          type: 'grid',
          name: 'All deals',
          columnMeta: { '$Deals.Value': { statisticFunc: 'sum' }, '$Deals.Expected value': { statisticFunc: 'sum' } },
        },
        {
          type: 'grid',
          name: 'Open deals',
          filter: {
            conjunction: 'and',
            filterSet: [{ fieldId: '$Deals.Stage', operator: 'isNoneOf', value: ['Won', 'Lost'] }],
          },
          sort: { sortObjs: [{ fieldId: '$Deals.Closes', order: 'asc' }] },
        },
        {
          type: 'calendar',
          name: 'Closing dates',
          options: {
            startDateFieldId: '$Deals.Closes',
            endDateFieldId: '$Deals.Closes',
            titleFieldId: '$Deals.Deal',
            colorConfig: { type: 'field', fieldId: '$Deals.Stage' },
          },
        },
      ],
      records: (day) => [
        {
          Deal: 'Loyalty programme',
          Company: 'Northwind Grocers',
          Contact: 'Head of purchasing, Northwind',
          Stage: 'Proposal',
          Value: 24_000,
          Chance: 0.5,
          Closes: day(20),
          'Next step': 'Send the revised offer',
        },
        {
          Deal: 'Support contract',
          Company: 'Bluebird Software',
          Contact: 'CTO, Bluebird',
          Stage: 'Won',
          Value: 9_600,
          Chance: 1,
          Closes: day(-8),
        },
        {
          Deal: 'Spare parts portal',
          Company: 'Stonebridge Tools',
          Contact: 'Plant manager, Stonebridge',
          Stage: 'Negotiation',
          Value: 58_000,
          Chance: 0.7,
          Closes: day(9),
          'Next step': 'Agree on delivery dates',
        },
        {
          Deal: 'Appointment planning',
          Company: 'Greenfield Clinic',
          Contact: 'Office manager, Greenfield',
          Stage: 'Lead',
          Value: 15_000,
          Chance: 0.1,
          Closes: day(60),
          'Next step': 'First call',
        },
        {
          Deal: 'Store fittings',
          Company: 'Northwind Grocers',
          Contact: 'Head of purchasing, Northwind',
          Stage: 'Lost',
          Value: 30_000,
          Chance: 0,
          Closes: day(-25),
        },
      ],
    },
  ],
};
