// Browser tests that `npm run proof -- cases` alone runs, by file and by how their title begins, with what holds their rule
// within `npm test`. They stand here and not in their files, so that the list can be read as one (ADR 120).

export const proofOnly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  files: {
    'cards and forms take files': 'a cell takes files; a visitor fills in a form with a file',
    'a file becomes a table': 'the journey begins with a file; a base begins with a file; parse-csv.test.ts',
  },
  'grid-keys': {
    'typing starts an edit in frozen columns': 'F2 edits; what is typed without a pause',
  },
  'grid-trust': {
    'a field that someone hides':
      'a record that others move or surround; record-selection.test.ts; merge-changes.test.ts',
    'a new record in a filtered view': 'new-record-cells.test.ts, new-row.test.ts; new records that the cursor leaves',
    'Delete on ticked rows': 'Shift-Space and Delete in grid-keys; deleting many records asks first',
  },
  links: {
    'which records count is said': 'a link and what follows from it are made by clicking; conditional-lookup.test.ts',
    'a board is stacked by a link': 'stacks are chosen, made and folded; conditions.test.ts, linked.test.ts',
  },
  'oauth-apps': {
    'who made an application ends its access': 'an application that someone has allowed is revoked; oauth-end.test.ts',
  },
  offline: {
    'a page that could not be loaded at all': 'a page outside the table says that the server is gone, and goes on',
  },
  order: {
    'rows go from group to group': 'move-target.test.ts; rows are dragged to another place; record-order.test.ts',
  },
  query: {
    'conditions are put into groups': 'a view is filtered and sorted; conditions.test.ts; query.test.ts',
    'an editor tries a filter alone': 'who may not change a view filters it for themselves',
  },
  settings: {
    'someone is let into a single base':
      'someone is invited by e-mail, gets another role, and is removed; collaborator.test.ts',
  },
  share: {
    'a page that shows files reads its records again': 'public pages show views of every type; share.test.ts',
  },
  streams: {
    'what happens between the reading of the records': 'follow-table.test.ts, which makes it happen in every order',
  },
  table: {
    'a field is described, filled in':
      'fields are added, edited, hidden and deleted; field.test.ts; type-choice.test.ts',
  },
  'table-gesture': {
    'several fields are selected': 'columns are dragged, resized and frozen; reorder.test.ts',
    'a field becomes another type': 'a conversion says what it would lose, and Ctrl-Z brings all of it back',
    'everything in a row stands in its middle': 'draw-show-as.test.ts, fitted-text.test.ts',
  },
  'table-group': {
    'when the group whose header': 'group-rows.test.ts; a grouped table follows what others change',
  },
  'table-undo': {
    'the history of the table is filtered': 'records that anybody deleted are listed beside it; history-query.test.ts',
  },
  'undo-everywhere': {
    'the menu of a column hides': 'columns show statistics; records are grouped; a conversion is undone',
  },
  views: {
    'a second grid view keeps':
      'fields are added, edited, hidden; a view is duplicated; view.test.ts, view-trash.test.ts',
    'records are cards in a gallery': 'cards have a cover, and open the record',
    'two people who add stacks': 'merge-changes.test.ts; two people edit one view in grid-model; field.test.ts',
    'a calendar shows a week': 'a calendar shows records on their days; lanes.test.ts, month.test.ts',
    'a search leaves out the cards': 'a search leads from place to place; query.test.ts',
  },
};
