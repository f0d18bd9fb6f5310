import { Dialog } from '../ui/dialog.tsx';

const groups: readonly { title: string; keys: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: 'Edit',
    keys: [
      ['Any character', 'Replace the cell'],
      ['Enter, F2', 'Edit the cell'],
      ['Escape', 'Cancel editing'],
      ['Backspace, Delete', 'Clear the cells, or delete the selected records'],
      ['Ctrl ;', 'Today, in a date field'],
      ['Ctrl D', 'Fill down'],
      ['Ctrl R', 'Fill to the right'],
      ['Ctrl C, Ctrl X, Ctrl V', 'Copy, cut, paste'],
      ['Ctrl Z, Ctrl Shift Z', 'Undo, redo'],
    ],
  },
  {
    title: 'Move and select',
    keys: [
      ['Tab, Shift Tab', 'Next cell, previous cell'],
      ['Home, End', 'First and last column'],
      ['Ctrl Home, Ctrl End', 'First and last cell'],
      ['Ctrl and an arrow', 'To the edge of the table'],
      ['Shift and any of these', 'Extend the selection'],
      ['Ctrl A', 'Select everything'],
      ['Ctrl F', 'Search'],
      ['Ctrl K', 'Find a table, dashboard, view, base, record or command'],
      ['Ctrl and a click', 'Open the link in a cell'],
    ],
  },
  {
    title: 'Order',
    keys: [
      ['Alt Shift ↑, Alt Shift ↓', 'Move a table, folder, view, field or choice that has the focus'],
      ['Alt Shift ←, Alt Shift →', 'Move a stack of a board, or a base on the home page'],
    ],
  },
  {
    title: 'Records',
    keys: [
      ['Space', 'Open the record'],
      ['Shift Enter', 'New record below'],
      ['Shift Space', 'Select the row'],
      ['Ctrl E', 'Edit the selected records together'],
      ['Alt Shift ↑, Alt Shift ↓', 'Move the row up or down, also to the next group'],
      ['Ctrl /, or ? outside of the grid', 'Show these shortcuts'],
    ],
  },
];

export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Keyboard shortcuts" wide="beside">
    <div className="grid gap-6 sm:grid-cols-2">
      {groups.map(({ title, keys }) => (
        <section key={title}>
          <h3 className="mb-2 font-semibold">{title}</h3>
          <dl className="grid grid-cols-[minmax(0,4fr)_minmax(0,5fr)] gap-x-4 gap-y-1.5 text-[13px]">
            {keys.map(([combination, what]) => (
              <div key={combination} className="contents">
                <dt className="text-ink-soft">{combination}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
);
