// Links in the app: picking records, opening them from one another, making links and what follows from them, and what views make of them.
import { choose, escape, expect, newPerson, type Person, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, clickGrid, copyText, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const newProjects = async ({ api }: Person) => {
  const tasks = await newTable(
    api,
    [{ name: 'Name', type: 'singleLineText' }],
    [{ Name: 'Draw' }, { Name: 'Build' }, { Name: 'Paint' }],
  );
  const other = await api.post(`/base/${tasks.baseId}/table`, {
    name: 'Projects',
    fields: [
      { name: 'Title', type: 'singleLineText' },
      { name: 'City', type: 'singleSelect', options: { choices: [{ name: 'Oslo' }, { name: 'Rome' }] } },
      { name: 'Budget', type: 'number' },
    ],
    records: [
      { Title: 'House', City: 'Oslo', Budget: 100 },
      { Title: 'Harbour', City: 'Rome', Budget: 250 },
      { Title: 'Tower', City: 'Oslo', Budget: 40 },
    ].map((fields) => ({ fields })),
  });
  const fieldOf = (name: string): string => other.fields.find((field: { name: string }) => field.name === name).id;
  const titles = async (tableId: string): Promise<Record<string, unknown>[]> =>
    (await api.get(`/table/${tableId}/record?cellFormat=text`)).records.map(
      ({ fields }: { fields: Record<string, unknown> }) => fields,
    );
  return { tasks, projects: { id: other.id as string, url: `/base/${tasks.baseId}/${other.id}`, fieldOf }, titles };
};

test('records are linked, ordered, created, pasted and unlinked from the grid, by keyboard', async ({ person }) => {
  const { page, api } = person;
  const { tasks, projects, titles } = await newProjects(person);
  const link = await api.post(`/table/${tasks.tableId}/field`, {
    name: 'Projects',
    type: 'link',
    options: { foreignTableId: projects.id, relationship: 'manyMany' },
  });
  await page.goto(tasks.url);
  await selectFirstCell(page);
  const search = page.getByRole('combobox', { name: 'Projects' });
  const row = async (at: number): Promise<unknown> => (await titles(tasks.tableId))[at]?.['Projects'];

  // What is typed on the cell is searched at once; Enter links, Backspace unlinks the last, Escape leaves.
  await press(page, 'ArrowRight');
  await page.keyboard.type('har');
  await press(page, 'Enter');
  await expect(page.getByRole('option', { name: 'Harbour', selected: true })).toBeVisible();
  await page.keyboard.type('House');
  await press(page, 'Enter');
  await expect(page.getByRole('option', { selected: true })).toHaveText(['Harbour', 'House']);
  expect(await inspect(page, 'record-picker')).toEqual([]);
  // The first goes behind the second.
  await press(page, 'ArrowUp', 'ArrowUp', 'Alt+ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toHaveText(['House', 'Harbour']);
  await page.keyboard.type('Bridge');
  await expect(page.getByRole('option', { name: 'Create “Bridge” in Projects' })).toBeVisible();
  await press(page, 'Enter', 'Escape');
  await expect(cell(page, 0, 1)).toHaveText('House, Harbour, Bridge');
  await expect.poll(() => row(0)).toBe('House, Harbour, Bridge');
  expect((await titles(projects.id)).map((fields) => `${String(fields['Title'])}: ${String(fields['Tasks'])}`)).toEqual(
    ['House: Draw', 'Harbour: Draw', 'Tower: undefined', 'Bridge: Draw'],
  );
  // All that was chosen at once is undone together, with the record that was created there.
  const made = async (): Promise<unknown[]> => (await titles(projects.id)).map((fields) => fields['Title']);
  await press(page, 'Control+z');
  await expect(page.getByText('Undone: 1 cell, 1 record removed from Projects.')).toBeVisible();
  expect([await row(0), await made()]).toEqual([undefined, ['House', 'Harbour', 'Tower']]);
  await press(page, 'Control+Shift+z');
  await expect.poll(() => row(0)).toBe('House, Harbour, Bridge');
  // "BRÍDGE" is the same record: it is found, and none is offered to be made.
  await press(page, 'ArrowDown');
  await page.keyboard.type('BRÍDGE');
  await expect(page.getByRole('option')).toHaveText([/^Bridge/]);
  await press(page, 'Enter', 'Escape');
  await expect(cell(page, 1, 1)).toHaveText('Bridge');
  await press(page, 'ArrowUp');
  expect([await row(1), await made()]).toEqual(['Bridge', ['House', 'Harbour', 'Tower', 'Bridge']]);

  // Copied cells are pasted as they are, text by title; Delete empties; all of it can be undone.
  await press(page, 'Control+c', 'ArrowDown', 'Control+v');
  await expect.poll(() => row(1)).toBe('House, Harbour, Bridge');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('House, Harbour, Bridge');
  await press(page, 'ArrowDown');
  await copyText(page, 'TÓWER, Canal');
  await press(page, 'Control+v');
  await expect.poll(() => row(2)).toBe('Tower, Canal');
  await expect(cell(page, 2, 1)).toHaveText('Tower, Canal');
  // The record that the paste made goes with it, and comes back with it.
  await expect(page.getByText('1 cell pasted; 1 record created in Projects.')).toBeVisible();
  await press(page, 'Control+z');
  await expect(page.getByText('Undone: 1 cell, 1 record removed from Projects.')).toBeVisible();
  expect([await row(2), await made()]).toEqual([undefined, ['House', 'Harbour', 'Tower', 'Bridge']]);
  await press(page, 'Control+Shift+z');
  await expect.poll(() => row(2)).toBe('Tower, Canal');
  expect(await made()).toEqual(['House', 'Harbour', 'Tower', 'Bridge', 'Canal']);
  await expect(cell(page, 2, 1)).toHaveText('Tower, Canal');
  await press(page, 'Delete');
  await expect.poll(() => row(2)).toBeUndefined();
  await press(page, 'Control+z');
  await expect.poll(() => row(2)).toBe('Tower, Canal');
  // Enter that nothing has led to closes the list and leads down.
  await press(page, 'ArrowUp', 'Enter', 'Enter');
  await expect(cell(page, 2, 1)).toHaveAttribute('aria-selected', 'true');
  await press(page, 'ArrowUp', 'Enter');
  await expect(search).toBeFocused();
  await press(page, 'Backspace', 'Backspace', 'Escape');
  await expect.poll(() => row(1)).toBe('House');
  // What somebody else links while the picker is open stays.
  await press(page, 'Enter');
  await expect(search).toBeFocused();
  const found = async (tableId: string, at: number): Promise<string> =>
    (await api.get(`/table/${tableId}/record`)).records[at].id;
  await api.patch(`/table/${tasks.tableId}/record/${await found(tasks.tableId, 1)}`, {
    record: { fields: { Projects: [{ id: await found(projects.id, 0) }, { id: await found(projects.id, 2) }] } },
  });
  await page.keyboard.type('Canal');
  await expect(page.getByRole('option', { name: 'Canal', selected: false })).toBeVisible();
  await press(page, 'Enter', 'Escape');
  await expect.poll(() => row(1)).toBe('House, Tower, Canal');
  await expect(cell(page, 1, 1)).toHaveText('House, Tower, Canal');

  // A project that belongs to one task only: what is taken says so.
  await api.post(`/table/${tasks.tableId}/field`, {
    name: 'Main',
    type: 'link',
    options: { foreignTableId: projects.id, relationship: 'oneOne' },
  });
  await expect(cell(page, 0, 2)).toBeAttached();
  await press(page, 'ArrowRight', 'ArrowUp');
  await page.keyboard.type('Tower');
  await press(page, 'Enter');
  await expect(cell(page, 0, 2)).toHaveText('Tower');
  await press(page, 'ArrowDown');
  await page.keyboard.type('Tower');
  await expect(page.getByRole('option', { name: 'Tower Linked to Draw', disabled: true })).toBeVisible();
  await press(page, 'Escape');
  expect(link.options.symmetricFieldId).toBeDefined();
});

test('linked records open on top of each other, and both sides are live for everybody', async ({ person, browser }) => {
  const { page, api } = person;
  const { tasks, projects, titles } = await newProjects(person);
  await api.post(`/table/${tasks.tableId}/field`, {
    name: 'Project',
    type: 'link',
    options: { foreignTableId: projects.id, relationship: 'manyOne' },
  });
  const [space] = await api.get('/space');
  const kim = await newPerson(browser, 'kim');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'editor' });
  await kim.page.goto(projects.url);
  await selectFirstCell(kim.page);
  await page.goto(tasks.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight');
  await page.keyboard.type('House');
  await press(page, 'Enter');
  await expect(cell(page, 0, 1)).toHaveText('House');
  await expect(cell(kim.page, 0, 3)).toHaveText('Draw');

  // A click on a pill of the cell that the cursor is in opens the record; its other side is a small table.
  await clickGrid(page, 52 + 220 + 28, 52);
  const panel = page.getByRole('complementary', { name: 'Record' });
  await expect(panel.getByRole('heading', { name: 'House' })).toBeVisible();
  const linked = panel.getByRole('table', { name: 'Tasks' });
  await expect(linked.getByRole('button', { name: 'Draw', exact: true })).toBeVisible();
  await panel.getByRole('button', { name: 'Link a record' }).click();
  await page.keyboard.type('Build');
  await press(page, 'Enter');
  await expect(linked.getByRole('row')).toHaveCount(3);
  await press(page, 'Escape');
  await expect(cell(kim.page, 0, 3)).toHaveText('Draw, Build');
  await expect(cell(page, 1, 1)).toHaveText('House');
  // From there on to the task, and back.
  await linked.getByRole('button', { name: 'Build', exact: true }).click();
  await expect(panel.getByRole('heading', { name: 'Build' })).toBeVisible();
  await expect(panel.getByRole('table', { name: 'Project' }).getByRole('cell', { name: 'Oslo' })).toBeVisible();
  expect(await inspect(page, 'linked-record')).toEqual([]);
  await panel.getByRole('button', { name: 'Back' }).click();
  await expect(panel.getByRole('heading', { name: 'House' })).toBeVisible();

  // Kim renames the project and unlinks a task: it is seen here in the panel and behind it.
  await kim.page.keyboard.type('Villa');
  await press(kim.page, 'Enter');
  await expect(panel.getByRole('heading', { name: 'Villa' })).toBeVisible();
  await expect(cell(page, 0, 1)).toHaveText('Villa');
  await press(kim.page, 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter', 'Backspace', 'Escape');
  await expect(linked.getByRole('row')).toHaveCount(2);
  await expect(cell(page, 1, 1)).toHaveText('');
  await linked.getByRole('button', { name: 'Unlink Draw' }).click();
  await expect(cell(kim.page, 0, 3)).toHaveText('');
  await panel.getByRole('button', { name: 'Close record' }).click();
  await expect(panel).toBeHidden();
  expect((await titles(tasks.tableId)).map((fields) => fields['Project'])).toEqual([undefined, undefined, undefined]);
  await kim.leave();

  // Of a long list the beginning is shown, here and in the picker, and what is not shown is found by searching.
  const { records } = await api.get(`/table/${projects.id}/record`);
  await api.post(`/table/${tasks.tableId}/record`, {
    records: Array.from({ length: 260 }, (_, at) => ({
      fields: { Name: `Task ${at + 1}`, Project: { id: records[0].id } },
    })),
  });
  await page.goto(`${projects.url}?record=${records[0].id}`);
  await expect(linked.getByRole('row')).toHaveCount(9);
  await expect(panel.getByText('and 252 more')).toBeVisible();
  await panel.getByRole('button', { name: 'Show 200 more' }).click();
  await expect(linked.getByRole('row')).toHaveCount(201);
  await expect(panel.getByText('and 60 more')).toBeVisible();
  await panel.getByRole('button', { name: 'Link a record' }).click();
  await expect(page.getByText('and 160 more: type to find one')).toBeVisible();
  await page.keyboard.type('Task 259');
  await expect(page.getByRole('option', { name: 'Task 259', selected: true })).toBeVisible();
});

test('a link and what follows from it are made by clicking through', async ({ person }) => {
  const { page, api } = person;
  const { tasks, projects } = await newProjects(person);
  await page.goto(tasks.url);
  await selectFirstCell(page);
  const dialog = page.getByRole('dialog', { name: 'New field' });
  const begin = async (type: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a field' }).click();
    await dialog.getByLabel('Search field types').fill(type);
    await press(page, 'Enter');
  };
  const save = async (): Promise<void> => {
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await expect(dialog).toBeHidden();
  };
  const made = async (): Promise<any> => (await api.get(`/table/${tasks.tableId}/field`)).at(-1);

  // Without a link there is nothing to look up.
  await begin('lookup');
  await dialog.getByRole('button', { name: 'Create a link instead' }).click();
  await choose(dialog, 'Which table?', 'Projects');
  await dialog.getByLabel('Name', { exact: true }).fill('Project');
  await dialog.getByLabel('Name of the field in Projects').fill('To do');
  await expect(dialog.getByRole('group', { name: 'Fields in both tables' })).toHaveText(
    'TasksProjectone of ProjectsProjectsTo doseveral Tasks',
  );
  expect(await inspect(page, 'link-dialog')).toEqual([]);
  await save();
  const link = await made();
  expect(link).toMatchObject({
    name: 'Project',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: projects.id },
  });
  expect((await api.get(`/table/${projects.id}/field`)).at(-1)).toMatchObject({
    id: link.options.symmetricFieldId,
    name: 'To do',
  });

  await begin('lookup');
  await choose(dialog, 'Which field of Projects?', 'Budget');
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: /^Currency/ }).click();
  await save();
  expect(await made()).toMatchObject({
    name: 'Budget (from Project)',
    type: 'number',
    isLookup: true,
    options: { formatting: { type: 'currency', precision: 2, symbol: '$' } },
  });
  await clickGrid(page, 52 + 220 + 100, 52);
  await expect(cell(page, 0, 1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('Harbour');
  await press(page, 'Enter');
  await expect(cell(page, 0, 1)).toHaveText('Harbour');
  await expect(cell(page, 0, 2)).toHaveText('$250.00');

  // What can be written elsewhere only says where. The link itself is changed without losing what is linked.
  await clickGrid(page, 52 + 220 + 180 + 60, 52);
  await page.keyboard.type('7');
  await expect(page.getByText('Change it in the records of Project')).toBeVisible();
  await clickGrid(page, 52 + 220 + 60, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const changing = page.getByRole('dialog', { name: 'Edit Project' });
  await changing.getByLabel('A record of Tasks links to').getByText('Several').click();
  await expect(changing.getByRole('group', { name: 'Fields in both tables' })).toHaveText(
    'TasksProjectseveral ProjectsProjectsTo doseveral Tasks',
  );
  await changing.getByRole('button', { name: 'Save' }).click();
  await expect(changing).toBeHidden();
  expect((await api.get(`/table/${tasks.tableId}/field/${link.id}`)).options).toMatchObject({
    relationship: 'manyMany',
    symmetricFieldId: link.options.symmetricFieldId,
  });
  await expect(cell(page, 0, 2)).toHaveText('$250.00');

  // On the other side: how much the tasks' names count, and how many there are.
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await expect(cell(page, 1, 3)).toHaveText('Draw');
  await begin('rollup');
  await choose(dialog, 'Which field of Tasks?', 'Name');
  await dialog.getByRole('combobox', { name: 'Summarise with' }).click();
  await page.getByRole('option', { name: /^Text/ }).click();
  await save();
  await begin('count');
  await save();
  await expect(cell(page, 1, 4)).toHaveText('Draw');
  await expect(cell(page, 1, 5)).toHaveText(/^1(\.00)?$/);

  // It is changed in the same way; what the server refuses stands beside it.
  const column = 52 + 220 + 150 + 130 + 180 + 100;
  await clickGrid(page, column, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const edit = page.getByRole('dialog', { name: /^Edit Name Rollup/ });
  await edit.getByRole('combobox', { name: 'Summarise with' }).click();
  await page.getByRole('option', { name: /^Count filled/ }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await expect(cell(page, 1, 4)).toHaveText(/^1(\.00)?$/);

  // All of it in one picture.
  await page.getByRole('link', { name: 'Schema' }).click();
  await expect(page.getByRole('link', { name: 'Tasks, linked to Projects' })).toBeVisible();
  expect(await inspect(page, 'base-picture')).toEqual([]);
  await page.getByRole('link', { name: 'Projects, linked to Tasks' }).press('Enter');
  await expect(cell(page, 1, 3)).toHaveText('Draw');
});

test('a column of texts becomes a link: what matches is told before, missing records are created, and one undo takes it back', async ({
  person,
}) => {
  const { page, api } = person;
  const { tasks, projects, titles } = await newProjects(person);
  const field = await api.post(`/table/${tasks.tableId}/field`, { name: 'Project', type: 'singleLineText' });
  const { records } = await api.get(`/table/${tasks.tableId}/record`);
  const texts = ['House', 'harbóur', 'Bridge'];
  await api.patch(`/table/${tasks.tableId}/record`, {
    fieldKeyType: 'id',
    records: records.map(({ id }: { id: string }, at: number) => ({ id, fields: { [field.id]: texts[at] } })),
  });
  await page.goto(tasks.url);
  await selectFirstCell(page);
  await clickGrid(page, 52 + 220 + 60, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Project' });
  await dialog.getByLabel('Type', { exact: true }).click();
  await dialog.getByRole('button', { name: /^Link / }).click();
  await choose(dialog, 'Which table?', 'Projects');
  await expect(dialog.getByText('2 of 3 cells match records of Projects.')).toBeVisible();
  await expect(dialog.getByText('1 record will be created there: “Bridge”.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('1 record created in Projects.')).toBeVisible();
  const linked = async () => (await titles(tasks.tableId)).map((record) => record['Project']);
  expect(await linked()).toEqual(['House', 'Harbour', 'Bridge']);
  const names = async () => (await titles(projects.id)).map((record) => record['Title']);
  expect(await names()).toEqual(['House', 'Harbour', 'Tower', 'Bridge']);
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(linked).toEqual(texts);
  await expect.poll(names).toEqual(['House', 'Harbour', 'Tower']);
});

test('which records count is said in the dialog of a lookup, also without a link', async ({ person }) => {
  const { page, api } = person;
  const { tasks, projects } = await newProjects(person);
  await page.goto(tasks.url);
  await selectFirstCell(page);
  const dialog = page.getByRole('dialog', { name: 'New field' });
  await page.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByLabel('Search field types').fill('lookup');
  await press(page, 'Enter');
  await dialog.getByRole('button', { name: 'Find records by a condition' }).click();
  await choose(dialog, 'Which table?', 'Projects');
  await choose(dialog, 'Which field of Projects?', 'Title');
  const conditions = page.getByRole('dialog', { name: 'Conditions' });
  await dialog.getByRole('button', { name: 'Filter records of Projects…' }).click();
  await conditions.getByRole('button', { name: 'Add a condition' }).click();
  await choose(conditions, 'Field of condition 1', 'City');
  await choose(conditions, 'Value', 'Oslo');
  expect(await inspect(page, 'lookup-conditions')).toEqual([]);
  await press(page, 'Escape');
  await expect(conditions).toBeHidden();
  await choose(dialog, 'Sort by', 'Budget');
  await choose(dialog, 'Order', 'Descending');
  await dialog.getByLabel('At most').fill('1');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await expect(dialog).toBeHidden();
  await expect(cell(page, 0, 1)).toHaveText('House');

  // What was said stays when something else is changed, and a cell of the own record is something to compare with.
  await clickGrid(page, 52 + 220 + 60, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const edit = page.getByRole('dialog', { name: /^Edit Title/ });
  await edit.getByLabel('At most').fill('');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await expect(cell(page, 0, 1)).toHaveText('House, Tower');
  await clickGrid(page, 52 + 220 + 60, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await edit.getByRole('button', { name: 'Only where 1 condition is met' }).click();
  await conditions.getByRole('button', { name: 'Add a condition' }).click();
  await choose(conditions, 'Operator of condition 2', 'is');
  await choose(conditions, 'Compared with, condition 2', 'Name');
  await press(page, 'Escape');
  await expect(conditions).toBeHidden();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  const [name, lookedUp] = await api.get(`/table/${tasks.tableId}/field`);
  expect(lookedUp).toMatchObject({
    isConditionalLookup: true,
    lookupOptions: {
      sort: { fieldId: projects.fieldOf('Budget'), order: 'desc' },
      filter: {
        filterSet: [
          { value: 'Oslo' },
          { fieldId: projects.fieldOf('Title'), operator: 'is', value: { type: 'field', fieldId: name.id } },
        ],
      },
    },
  });
  await expect(cell(page, 0, 1)).toHaveText('');
  await api.patch(`/table/${projects.id}/record/${(await api.get(`/table/${projects.id}/record`)).records[0].id}`, {
    record: { fields: { Title: 'Draw' } },
  });
  // Those who look are told of what happens in the other table.
  await expect(cell(page, 0, 1)).toHaveText('Draw');
});

test('a board is stacked by a link, and a filter compares with records', async ({ person }) => {
  const { page, api } = person;
  const { tasks, projects, titles } = await newProjects(person);
  const link = await api.post(`/table/${tasks.tableId}/field`, {
    name: 'Project',
    type: 'link',
    options: { foreignTableId: projects.id, relationship: 'manyOne' },
  });
  const board = await api.post(`/table/${tasks.tableId}/view`, {
    type: 'kanban',
    name: 'Board',
    options: { stackFieldId: link.id },
  });
  await page.goto(`${tasks.url}?view=${board.id}`);
  const stack = (name: string) => page.getByRole('region', { name, exact: true });
  await stack('No Project').getByRole('button', { name: 'Draw', exact: true }).dragTo(stack('Harbour'));
  await expect(stack('Harbour').getByRole('button', { name: 'Draw', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Move Build' }).click();
  await page.getByRole('menuitem', { name: 'House' }).click();
  await expect(stack('House').getByRole('button', { name: 'Build', exact: true })).toBeVisible();
  await expect
    .poll(async () => (await titles(tasks.tableId)).map((fields) => fields['Project']))
    .toEqual(['Harbour', 'House', undefined]);
  await page.getByRole('button', { name: 'New stack' }).click();
  await page.getByLabel('Name of the stack').fill('Bridge');
  await press(page, 'Enter');
  await expect(stack('Bridge')).toBeVisible();
  expect(await inspect(page, 'board-by-link')).toEqual([]);

  await page.getByRole('link', { name: 'Grid view' }).click();
  await expect(cell(page, 2, 0)).toHaveText('Paint');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await choose(page, 'Field of condition 1', 'Project');
  await page.getByRole('combobox', { name: 'Value', exact: true }).click();
  await page.keyboard.type('Harb');
  await press(page, 'Enter');
  await expect(page.locator('button[aria-label="Value"]')).toHaveText('Harbour');
  await expect(cell(page, 1, 0)).not.toBeAttached();
  await expect(cell(page, 0, 0)).toHaveText('Draw');
  // A record that is made here belongs here.
  await escape(page);
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await page.getByRole('button', { name: 'Group by a field' }).click();
  await choose(page, 'Group field 1', 'Project');
  await escape(page);
  await expect(cell(page, 0, 0)).toContainText('Harbour');
  await clickGrid(page, 120, 36 + 36 + 34 + 17);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Sweep');
  await press(page, 'Enter');
  await expect.poll(async () => (await titles(tasks.tableId)).at(-1)).toEqual({ Name: 'Sweep', Project: 'Harbour' });
});

test('stacks of a board that are far off are asked for when somebody comes near', async ({ person }) => {
  const { page, api } = person;
  const tasks = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  const names = Array.from({ length: 40 }, (_, at) => `Project ${at + 1}`);
  const other = await api.post(`/base/${tasks.baseId}/table`, {
    name: 'Projects',
    fields: [{ name: 'Title', type: 'singleLineText' }],
    records: names.map((Title) => ({ fields: { Title } })),
  });
  const link = await api.post(`/table/${tasks.tableId}/field`, {
    name: 'Project',
    type: 'link',
    options: { foreignTableId: other.id, relationship: 'manyOne' },
  });
  await api.post(`/table/${tasks.tableId}/record`, {
    typecast: true,
    records: names.map((Project) => ({ fields: { Name: `Task of ${Project}`, Project } })),
  });
  const board = await api.post(`/table/${tasks.tableId}/view`, {
    type: 'kanban',
    name: 'Board',
    options: { stackFieldId: link.id },
  });
  let asked = 0;
  page.on(
    'request',
    (request) =>
      void (
        request.url().includes(`/table/${tasks.tableId}/aggregation/row-count`) &&
        decodeURIComponent(request.url()).includes(link.id) &&
        (asked += 1)
      ),
  );
  await page.goto(`${tasks.url}?view=${board.id}`);
  await expect(page.getByRole('button', { name: 'Task of Project 1', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Project 40', exact: true })).toBeAttached();
  expect(asked).toBeLessThan(20);
  const last = page.getByRole('region', { name: 'Project 40', exact: true });
  await expect(last.getByRole('button', { name: 'Task of Project 40', exact: true })).not.toBeAttached();
  await last.scrollIntoViewIfNeeded();
  await expect(last.getByRole('button', { name: 'Task of Project 40', exact: true })).toBeVisible();
});
