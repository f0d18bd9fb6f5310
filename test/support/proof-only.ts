// Browser tests that `npm run proof -- cases` alone runs, by file and by how their title begins, with what holds their rule
// within `npm test`. They stand here and not in their files, so that the list can be read as one (ADR 120).

export const proofOnly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: {
    'a second factor is set up': 'second-factor.test.ts; screens looks at the pages of the account',
  },
  automation: {
    'a button is made, asks': 'an approval is pressed by a viewer; button.test.ts, button-copy.test.ts',
    'a weekly report is built': 'an approval is built, tried, turned on; automation-draft.test.ts; automation.test.ts',
  },
  files: {
    'a base of Teable or Airtable':
      'import-from.test.ts; a base begins with a template, or with a file; the journey begins with a file',
    'cards and forms take files': 'a cell takes files; a visitor fills in a form with a file',
    'a file becomes a table': 'the journey begins with a file; a base begins with a file; parse-csv.test.ts',
  },
  'grid-keys': {
    'Ctrl-; is today': 'read-date.test.ts, bulk-values.test.ts; a cell is filled into those below',
    'typing starts an edit in frozen columns': 'F2 edits; what is typed without a pause',
  },
  'grid-trust': {
    'copied cells carry their full values':
      'clipboard.test.ts, cell-text.test.ts; what is selected is copied, cut and emptied as a whole',
    'in a sorted view the row':
      'a record that others move or surround; new records that the cursor leaves; record-window.test.ts',
    'a field that someone hides':
      'a record that others move or surround; record-selection.test.ts; merge-changes.test.ts',
    'a new record in a filtered view': 'new-record-cells.test.ts, new-row.test.ts; new records that the cursor leaves',
    'Delete on ticked rows': 'Shift-Space and Delete in grid-keys; deleting many records asks first',
  },
  home: {
    'favourites and the bases opened last': 'personal.test.ts; screens looks at the home page',
  },
  links: {
    'records are linked, ordered':
      'cell-link.test.ts, recent-links.test.ts, link-picker.test.ts; a link and what follows from it are made by clicking; the journey',
    'stacks of a board that are far off': 'linked.test.ts, load-rows.test.ts; stacks are chosen, made and folded',
    'a column of texts becomes a link':
      'title-links.test.ts, link-convert.test.ts; a conversion says what it would lose',
    'linked records open on top of each other':
      'record-stack.test.ts; follow-table.test.ts; event-computed.test.ts; a link and what follows from it are made by clicking',
    'which records count is said': 'a link and what follows from it are made by clicking; conditional-lookup.test.ts',
    'a board is stacked by a link': 'stacks are chosen, made and folded; conditions.test.ts, linked.test.ts',
  },
  'oauth-apps': {
    'an application that someone has allowed':
      'oauth-end.test.ts; an application is allowed after signing in; screens looks at the applications',
    'an application is made, gets a secret':
      'oauth-client.test.ts; an application is allowed after signing in; screens looks at the applications',
    'who made an application ends its access': 'oauth-end.test.ts; an application is allowed after signing in',
  },
  offline: {
    'signing in while the server is gone':
      'a page outside the table says that the server is gone, and goes on; unanswered.test.ts',
    'a page that could not be loaded at all': 'a page outside the table says that the server is gone, and goes on',
  },
  order: {
    'rows go from group to group':
      'move-target.test.ts; record-order.test.ts; tables, views and fields are dragged in order',
  },
  plan: {
    'an owner sees what is used, how it went':
      'plan-words.test.ts, billing.test.ts, usage-history.test.ts; without plans an owner sees what is used',
    'the plan of a space is for its owners': 'billing.test.ts and the access matrix',
    'the line goes back over the days': 'usage-history.test.ts',
    'a paid plan says its seats': 'plan-words.test.ts, billing-stripe.test.ts',
  },
  people: {
    'two people in one table see each other':
      'presence.test.ts; two people edit one view in grid-model; the journey has two people',
  },
  query: {
    'a list is searched and picked from by keyboard': 'matching.test.ts; F2 edits and keeps picked tags',
    'conditions are put into groups': 'a view is filtered and sorted; conditions.test.ts; query.test.ts',
    'an editor tries a filter alone': 'who may not change a view filters it for themselves',
  },
  records: {
    'a template is saved from a record':
      'record-template.test.ts, new-record-cells.test.ts; an open record is copied and duplicated in table',
  },
  'rights-journey': {
    'boards, galleries, calendars and forms of somebody':
      'bound-members.test.ts, sight.test.ts; an owner binds a department, which then sees less',
    'a computed field that stays hidden': 'reveals.test.ts; an owner binds a department, which then sees less',
    'an owner makes roles': 'role-templates.test.ts, authority-matrix.test.ts; an owner binds a department',
  },
  screens: {
    'HTML in names':
      'the app makes no HTML of text, in architecture.test.ts; markdown.test.ts, cell-link.test.ts; the policy of the page in served',
  },
  'screens-work': {
    'views that are full of records': 'table-accessibility looks at views of every kind',
    'dialogs of a table with something in them':
      'table-accessibility looks at menus and dialogs; the journey goes through most of these',
    'pages of a base, and what a base begins with':
      'links goes through the schema, settings through the people, home through new bases',
  },
  settings: {
    'someone is let into a single base':
      'someone is invited by e-mail, gets another role, and is removed; collaborator.test.ts',
  },
  share: {
    'an owner shares a view with a password':
      'share.test.ts; the journey shares a view; public pages show views of every type',
    'the owner says in the dialog which sites': 'share.test.ts; a visitor fills in a form',
    'a page that shows files reads its records again': 'public pages show views of every type; share.test.ts',
  },
  'sign-in': {
    'signing in leads on to the page':
      'redirect.test.ts; a session that ended elsewhere leads to the sign-in page, and back',
    'what appears late on the first page': 'a visitor creates an account; the rule is that of the menu alone',
  },
  streams: {
    'what happens between the reading of the records': 'follow-table.test.ts, which makes it happen in every order',
  },
  table: {
    'what is typed at once into a new record':
      'new-record-cells.test.ts, edit-queue.test.ts; new records that the cursor leaves at once',
    'a formula is written with completion':
      'formula-text.test.ts, formula.test.ts; a link and what follows from it are made by clicking',
    'a field is described, filled in':
      'fields are added, edited, hidden and deleted; field.test.ts; type-choice.test.ts',
  },
  'table-edit': {
    'chosen records are edited together':
      'bulk-values.test.ts; undo.test.ts; what is selected is copied, cut and emptied in one request',
    'a long text is written on the whole screen': 'markdown.test.ts, format-text.test.ts, plain-text.test.ts',
  },
  'table-gesture': {
    'rows are dragged to another place':
      'record-order.test.ts, move-target.test.ts; tables, views and fields are dragged in order',
    'several fields are selected': 'columns are dragged, resized and frozen; reorder.test.ts',
    'a field becomes another type': 'a conversion says what it would lose, and Ctrl-Z brings all of it back',
    'everything in a row stands in its middle': 'draw-show-as.test.ts, fitted-text.test.ts',
  },
  'table-group': {
    'columns show statistics': 'aggregation.test.ts; the footer adds up in grid-keys',
    'when the group whose header': 'group-rows.test.ts; a grouped table follows what others change',
  },
  'table-undo': {
    'what someone else changed since':
      'undo.test.ts, window-undo.test.ts, undone-words.test.ts; a cell that somebody else changed meanwhile',
    'the history of the table is filtered': 'records that anybody deleted are listed beside it; history-query.test.ts',
  },
  trash: {
    'the trash of one base is shown by itself': 'trash.test.ts; deleting a table asks first',
  },
  'undo-everywhere': {
    'the menu of a column hides': 'records are grouped; view-trash.test.ts, undo.test.ts; a conversion is undone',
  },
  views: {
    'on a phone every view':
      'the journey ends on a phone; with fingers a tap opens the record; a page of a base fits on a phone, in screens',
    'a calendar shows the hours of a week': 'hours.test.ts, lanes.test.ts; a calendar shows records on their days',
    'a personal view is changed by its owner alone': 'view.test.ts; others who filter for themselves in query',
    'a second grid view keeps':
      'fields are added, edited, hidden; a view is duplicated; view.test.ts, view-trash.test.ts',
    'records are cards in a gallery': 'cards have a cover, and open the record',
    'two people who add stacks': 'merge-changes.test.ts; two people edit one view in grid-model; field.test.ts',
    'a calendar shows a week': 'a calendar shows records on their days; lanes.test.ts, month.test.ts',
    'a search leaves out the cards': 'a search leads from place to place; query.test.ts',
  },
  webhook: {
    'a webhook that its receiver turned off':
      'webhook.test.ts; webhook-draft.test.ts; a webhook is made with a condition',
  },
};
