import type { Definition } from './definition.ts';
import { contentCalendar } from './definition/content-calendar.ts';
import { eventPlanning } from './definition/event-planning.ts';
import { inventoryOrders } from './definition/inventory-orders.ts';
import { projectTracker } from './definition/project-tracker.ts';
import { salesPipeline } from './definition/sales-pipeline.ts';

/** By the name that rowhouse.templates has for them. */
export const definitions: ReadonlyMap<string, Definition> = new Map([
  ['project-tracker', projectTracker],
  ['sales-pipeline', salesPipeline],
  ['content-calendar', contentCalendar],
  ['inventory-orders', inventoryOrders],
  ['event-planning', eventPlanning],
]);
