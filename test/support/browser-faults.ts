// What axe finds that keeps people with a keyboard or a screen reader from using the page.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export const faults = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
};
