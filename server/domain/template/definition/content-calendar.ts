import { choices, type Definition, plainDate, whole } from '../definition.ts';

export const contentCalendar: Definition = {
  name: 'Content calendar',
  description: 'Posts, videos and newsletters from the idea to the day they appear, by campaign and channel.',
  tables: [
    {
      name: 'Channels',
      fields: [
        { name: 'Channel', type: 'singleLineText' },
        {
          name: 'Kind',
          type: 'singleSelect',
          options: choices('Blog:blueBright', 'Newsletter:orangeBright', 'Video:redBright', 'Social:purpleBright'),
        },
        { name: 'Followers', type: 'number', options: whole },
        { name: 'Posts a week', type: 'number', options: whole },
      ],
      laterFields: [
        {
          name: 'Planned',
          type: 'count',
          options: whole,
          lookupOptions: {
            linkFieldId: '$Channels.Content',
            foreignTableId: '$Content',
            filter: {
              conjunction: 'and',
              filterSet: [{ fieldId: '$Content.Status', operator: 'isNot', value: 'Published' }],
            },
          },
        },
      ],
      views: [{ type: 'grid', name: 'All channels' }],
      records: () => [
        { Channel: 'Company blog', Kind: 'Blog', Followers: 3_400, 'Posts a week': 2 },
        { Channel: 'Monthly newsletter', Kind: 'Newsletter', Followers: 8_100, 'Posts a week': 1 },
        { Channel: 'Video channel', Kind: 'Video', Followers: 1_250, 'Posts a week': 1 },
        { Channel: 'Social media', Kind: 'Social', Followers: 12_700, 'Posts a week': 5 },
      ],
    },
    {
      name: 'Campaigns',
      fields: [
        { name: 'Campaign', type: 'singleLineText' },
        { name: 'Goal', type: 'longText' },
        { name: 'Starts', type: 'date', options: plainDate },
        { name: 'Ends', type: 'date', options: plainDate },
      ],
      laterFields: [
        {
          name: 'Pieces',
          type: 'count',
          options: whole,
          lookupOptions: { linkFieldId: '$Campaigns.Content', foreignTableId: '$Content' },
        },
        {
          name: 'Views in all',
          type: 'rollup',
          options: { expression: 'sum({values})', ...whole },
          lookupOptions: {
            foreignTableId: '$Content',
            linkFieldId: '$Campaigns.Content',
            lookupFieldId: '$Content.Views',
          },
        },
      ],
      views: [
        { type: 'grid', name: 'All campaigns' },
        {
          type: 'calendar',
          name: 'Timeline',
          options: {
            startDateFieldId: '$Campaigns.Starts',
            endDateFieldId: '$Campaigns.Ends',
            titleFieldId: '$Campaigns.Campaign',
          },
        },
      ],
      records: (day) => [
        {
          Campaign: 'Product launch',
          Goal: 'Everybody in the field has heard of it.',
          Starts: day(-10),
          Ends: day(20),
        },
        { Campaign: 'Summer stories', Goal: 'Customers tell how they work.', Starts: day(5), Ends: day(60) },
      ],
    },
    {
      name: 'Content',
      fields: [
        { name: 'Title', type: 'singleLineText' },
        {
          name: 'Status',
          type: 'singleSelect',
          options: choices(
            'Idea:grayBright',
            'Writing:yellowBright',
            'Review:purpleBright',
            'Scheduled:blueBright',
            'Published:greenBright',
          ),
        },
        {
          name: 'Channels',
          type: 'link',
          otherSide: 'Content',
          options: { relationship: 'manyMany', foreignTableId: '$Channels' },
        },
        {
          name: 'Campaign',
          type: 'link',
          otherSide: 'Content',
          options: { relationship: 'manyOne', foreignTableId: '$Campaigns' },
        },
        {
          name: 'Kinds',
          type: 'singleSelect',
          isLookup: true,
          lookupOptions: {
            foreignTableId: '$Channels',
            linkFieldId: '$Content.Channels',
            lookupFieldId: '$Channels.Kind',
          },
        },
        { name: 'Publish on', type: 'date', options: plainDate },
        { name: 'Author', type: 'user', options: { isMultiple: false, shouldNotify: true } },
        { name: 'Views', type: 'number', options: whole },
        { name: 'Text', type: 'longText' },
        { name: 'Pictures', type: 'attachment' },
      ],
      views: [
        {
          type: 'calendar',
          name: 'Calendar',
          options: {
            startDateFieldId: '$Content.Publish on',
            endDateFieldId: '$Content.Publish on',
            titleFieldId: '$Content.Title',
            colorConfig: { type: 'field', fieldId: '$Content.Status' },
          },
        },
        { type: 'kanban', name: 'Workflow', options: { stackFieldId: '$Content.Status' } },
        { type: 'grid', name: 'All content' },
        { type: 'gallery', name: 'Pictures', options: { coverFieldId: '$Content.Pictures' } },
        { type: 'form', name: 'Hand in an idea', options: { submitLabel: 'Send idea' } },
      ],
      records: (day) => [
        {
          Title: 'Five things we learned while building it',
          Status: 'Published',
          Channels: ['Company blog', 'Social media'],
          Campaign: 'Product launch',
          'Publish on': day(-6),
          Views: 2_140,
        },
        {
          Title: 'Launch announcement',
          Status: 'Published',
          Channels: ['Monthly newsletter'],
          Campaign: 'Product launch',
          'Publish on': day(-4),
          Views: 5_020,
        },
        {
          Title: 'A tour in three minutes',
          Status: 'Scheduled',
          Channels: ['Video channel', 'Social media'],
          Campaign: 'Product launch',
          'Publish on': day(3),
        },
        {
          Title: 'How a bakery plans its week',
          Status: 'Writing',
          Channels: ['Company blog'],
          Campaign: 'Summer stories',
          'Publish on': day(12),
        },
        {
          Title: 'Questions from our readers',
          Status: 'Review',
          Channels: ['Monthly newsletter'],
          'Publish on': day(9),
        },
        { Title: 'Behind the scenes', Status: 'Idea', Channels: ['Video channel'], Campaign: 'Summer stories' },
      ],
    },
  ],
};
