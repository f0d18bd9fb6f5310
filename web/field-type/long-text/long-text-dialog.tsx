// A long text on the whole screen: Markdown on the left, as people read it on the right. Loaded when it is first opened.
import { longestText } from '@rowhouse/contract/field.ts';
import { AtSign, Bold, Code, Heading, Italic, Link2, List, ListOrdered, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { BasePerson } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { insert, prefixLines, type Selected, wrap } from './format-text.ts';
import { MarkdownView } from './markdown-view.tsx';

interface LongTextDialogProps {
  title: string;
  text: string;
  people: readonly BasePerson[];
  /** Absent for those who may only read. */
  onChange?: ((text: string) => void) | undefined;
  onClose: () => void;
}

export const LongTextDialog = ({ title, text: initial, people, onChange, onClose }: LongTextDialogProps) => {
  const [text, setText] = useState(initial);
  const area = useRef<HTMLTextAreaElement>(null);
  const change = (next: string): void => {
    setText(next);
    onChange?.(next);
  };
  const apply = (format: (selected: Selected) => Selected): void => {
    const { current } = area;
    if (current === null) return;
    const next = format({ text, from: current.selectionStart, to: current.selectionEnd });
    if (next.text.length > longestText.longText) return;
    change(next.text);
    requestAnimationFrame(() => {
      current.focus();
      current.setSelectionRange(next.from, next.to);
    });
  };
  const bold = (): void => apply((selected) => wrap(selected, '**', 'bold'));
  const italic = (): void => apply((selected) => wrap(selected, '*', 'italic'));
  const link = (): void =>
    apply((selected) => insert(selected, `[${selected.text.slice(selected.from, selected.to) || 'title'}](https://)`));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    const action = { b: bold, i: italic, k: link, Enter: onClose }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const tool = (label: string, icon: ReactNode, run: () => void): ReactNode => (
    <IconButton label={label} onClick={run}>
      {icon}
    </IconButton>
  );
  const names = people.map(({ name }) => name);

  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex flex-col bg-surface focus:outline-none"
        >
          <div className="flex flex-wrap items-center gap-1 border-b border-line px-4 py-2">
            <Dialog.Title className="mr-3 min-w-0 truncate text-[15px] font-semibold">{title}</Dialog.Title>
            {onChange !== undefined && (
              <div role="toolbar" aria-label="Formatting" className="flex flex-wrap items-center">
                {tool('Heading', <Heading size={16} />, () => apply((selected) => prefixLines(selected, () => '## ')))}
                {tool('Bold', <Bold size={16} />, bold)}
                {tool('Italic', <Italic size={16} />, italic)}
                {tool('Bulleted list', <List size={16} />, () =>
                  apply((selected) => prefixLines(selected, () => '- ')),
                )}
                {tool('Numbered list', <ListOrdered size={16} />, () =>
                  apply((selected) => prefixLines(selected, (at) => `${at + 1}. `)),
                )}
                {tool('Link', <Link2 size={16} />, link)}
                {tool('Code', <Code size={16} />, () => apply((selected) => wrap(selected, '`', 'code')))}
                {people.length > 0 && (
                  <Menu
                    trigger={
                      <IconButton label="Mention">
                        <AtSign size={16} />
                      </IconButton>
                    }
                  >
                    {people.slice(0, 50).map(({ id, name }) => (
                      <MenuItem key={id} onSelect={() => apply((selected) => insert(selected, `@${name} `))}>
                        {name}
                      </MenuItem>
                    ))}
                  </Menu>
                )}
              </div>
            )}
            <span className="flex-1" />
            {onChange === undefined ? (
              <IconButton label="Close" onClick={onClose}>
                <X size={18} />
              </IconButton>
            ) : (
              <Button size="small" look="primary" onClick={onClose}>
                Done
              </Button>
            )}
          </div>
          <div className="flex min-h-0 flex-1 max-md:flex-col">
            {onChange !== undefined && (
              <textarea
                ref={area}
                autoFocus
                aria-label={title}
                maxLength={longestText.longText}
                value={text}
                onChange={(event) => change(event.target.value)}
                onKeyDown={onKeyDown}
                className="min-h-0 flex-1 resize-none border-line bg-transparent p-4 font-mono text-[14px] leading-6 outline-none max-md:border-b md:border-r"
              />
            )}
            <div role="document" aria-label="Preview" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto p-4">
              <div className="mx-auto max-w-3xl">
                <MarkdownView text={text} names={names} />
              </div>
            </div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
