import { choices, type Definition, money, plainDate, whole } from '../definition.ts';

export const inventoryOrders: Definition = {
  name: 'Inventory and orders',
  description: 'Products, suppliers and orders: what is in stock, what was ordered, and what has to be bought again.',
  tables: [
    {
      name: 'Suppliers',
      fields: [
        { name: 'Supplier', type: 'singleLineText' },
        { name: 'E-mail', type: 'singleLineText', options: { showAs: { type: 'email' } } },
        { name: 'Delivers in days', type: 'number', options: whole },
        { name: 'Rating', type: 'rating', options: { icon: 'star', color: 'yellowBright', max: 5 } },
      ],
      views: [{ type: 'grid', name: 'All suppliers' }],
      records: () => [
        { Supplier: 'Harbour Trading', 'E-mail': 'orders@harbour.example', 'Delivers in days': 5, Rating: 4 },
        { Supplier: 'Mill Road Paper', 'E-mail': 'sales@millroad.example', 'Delivers in days': 2, Rating: 5 },
        { Supplier: 'Lakeside Ceramics', 'E-mail': 'hello@lakeside.example', 'Delivers in days': 14, Rating: 3 },
      ],
    },
    {
      name: 'Products',
      fields: [
        { name: 'Product', type: 'singleLineText' },
        { name: 'Article number', type: 'singleLineText' },
        {
          name: 'Category',
          type: 'singleSelect',
          options: choices('Kitchen:orangeBright', 'Office:blueBright', 'Garden:greenBright'),
        },
        {
          name: 'Supplier',
          type: 'link',
          otherSide: 'Products',
          options: { relationship: 'manyOne', foreignTableId: '$Suppliers' },
        },
        { name: 'Price', type: 'number', options: money },
        { name: 'Delivered', type: 'number', options: whole, description: 'How many have come in so far.' },
        { name: 'Buy again at', type: 'number', options: whole },
        { name: 'Picture', type: 'attachment' },
      ],
      laterFields: [
        {
          name: 'Sold',
          type: 'rollup',
          options: { expression: 'sum({values})', ...whole },
          lookupOptions: {
            foreignTableId: '$Order lines',
            linkFieldId: '$Products.Order lines',
            lookupFieldId: '$Order lines.Quantity',
          },
        },
        { name: 'In stock', type: 'formula', options: { expression: '{Delivered} - {Sold}', ...whole } },
        { name: 'Buy now', type: 'formula', options: { expression: 'IF({In stock} <= {Buy again at}, "Buy", "")' } },
      ],
      views: [
        { type: 'grid', name: 'All products' },
        { type: 'grid', name: 'By category', group: [{ fieldId: '$Products.Category', order: 'asc' }] },
        { type: 'gallery', name: 'Catalogue', options: { coverFieldId: '$Products.Picture' } },
      ],
      records: () => [
        {
          Product: 'Stoneware mug',
          'Article number': 'K-100',
          Category: 'Kitchen',
          Supplier: 'Lakeside Ceramics',
          Price: 14.5,
          Delivered: 120,
          'Buy again at': 40,
        },
        {
          Product: 'Salad bowl',
          'Article number': 'K-110',
          Category: 'Kitchen',
          Supplier: 'Lakeside Ceramics',
          Price: 32,
          Delivered: 45,
          'Buy again at': 20,
        },
        {
          Product: 'Notebook A5',
          'Article number': 'O-200',
          Category: 'Office',
          Supplier: 'Mill Road Paper',
          Price: 6.9,
          Delivered: 400,
          'Buy again at': 150,
        },
        {
          Product: 'Desk lamp',
          'Article number': 'O-230',
          Category: 'Office',
          Supplier: 'Harbour Trading',
          Price: 49,
          Delivered: 30,
          'Buy again at': 10,
        },
        {
          Product: 'Watering can',
          'Article number': 'G-300',
          Category: 'Garden',
          Supplier: 'Harbour Trading',
          Price: 21,
          Delivered: 25,
          'Buy again at': 10,
        },
      ],
    },
    {
      name: 'Orders',
      fields: [
        { name: 'Order', type: 'singleLineText' },
        { name: 'Customer', type: 'singleLineText' },
        { name: 'Date', type: 'date', options: plainDate },
        {
          name: 'Status',
          type: 'singleSelect',
          options: choices('New:blueBright', 'Packed:yellowBright', 'Sent:greenBright', 'Returned:redBright'),
        },
      ],
      laterFields: [
        {
          name: 'Total',
          type: 'rollup',
          options: { expression: 'sum({values})', ...money },
          lookupOptions: {
            foreignTableId: '$Order lines',
            linkFieldId: '$Orders.Order lines',
            lookupFieldId: '$Order lines.Amount',
          },
        },
        {
          name: 'Lines',
          type: 'count',
          options: whole,
          lookupOptions: { linkFieldId: '$Orders.Order lines', foreignTableId: '$Order lines' },
        },
      ],
      views: [
        { type: 'grid', name: 'All orders', sort: { sortObjs: [{ fieldId: '$Orders.Date', order: 'desc' }] } },
        { type: 'kanban', name: 'By status', options: { stackFieldId: '$Orders.Status' } },
      ],
      records: (day) => [
        { Order: 'Order 1001', Customer: 'Corner Café', Date: day(-9), Status: 'Sent' },
        { Order: 'Order 1002', Customer: 'Riverside Office', Date: day(-4), Status: 'Packed' },
        { Order: 'Order 1003', Customer: 'Garden Club', Date: day(-1), Status: 'New' },
      ],
    },
    {
      name: 'Order lines',
      fields: [
        { name: 'Line', type: 'singleLineText' },
        {
          name: 'Order',
          type: 'link',
          otherSide: 'Order lines',
          options: { relationship: 'manyOne', foreignTableId: '$Orders' },
        },
        {
          name: 'Product',
          type: 'link',
          otherSide: 'Order lines',
          options: { relationship: 'manyOne', foreignTableId: '$Products' },
        },
        { name: 'Quantity', type: 'number', options: whole },
        {
          name: 'Price',
          type: 'number',
          isLookup: true,
          lookupOptions: {
            foreignTableId: '$Products',
            linkFieldId: '$Order lines.Product',
            lookupFieldId: '$Products.Price',
          },
        },
        { name: 'Amount', type: 'formula', options: { expression: '{Quantity} * {Price}', ...money } },
      ],
      views: [
        {
          type: 'grid',
          name: 'All lines',
          group: [{ fieldId: '$Order lines.Order', order: 'asc' }],
          columnMeta: { '$Order lines.Amount': { statisticFunc: 'sum' } },
        },
      ],
      records: () => [
        { Line: '1001 / 1', Order: 'Order 1001', Product: 'Stoneware mug', Quantity: 85 },
        { Line: '1001 / 2', Order: 'Order 1001', Product: 'Salad bowl', Quantity: 12 },
        { Line: '1002 / 1', Order: 'Order 1002', Product: 'Notebook A5', Quantity: 120 },
        { Line: '1002 / 2', Order: 'Order 1002', Product: 'Desk lamp', Quantity: 8 },
        { Line: '1003 / 1', Order: 'Order 1003', Product: 'Watering can', Quantity: 16 },
      ],
    },
  ],
};
