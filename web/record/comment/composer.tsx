// Where a comment is written: a text with mentions, and images that are pasted, dropped or chosen.
import type { CommentBlock } from '@rowhouse/contract/comment.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useQuery } from '@tanstack/react-query';
import { AtSign, ImagePlus, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { call } from '../../app/call.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { uploadFile } from '../../field-type/attachment/upload-file.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { showProblem } from '../../ui/toast.ts';
import { contentOf, type Draft, emptyDraft, type Image, type Mentionable, mentionAt } from './draft.ts';

export interface ComposerScene {
  tableId: string;
  baseId: string | undefined;
  people: readonly Mentionable[];
  fields: readonly (Mentionable & { isPrimary?: boolean | undefined })[];
}

interface ComposerProps {
  label: string;
  action: string;
  scene: ComposerScene;
  initial?: Draft;
  onSend: (content: CommentBlock[]) => Promise<void>;
  onCancel?: (() => void) | undefined;
}

interface Offer extends Mentionable {
  kind: 'Person' | 'Field' | 'Record';
}

const most = 8;

const useOffers = ({ tableId, people, fields }: ComposerScene, typed: string | undefined): Offer[] => {
  const primary = fields.find(({ isPrimary }) => isPrimary === true)?.id;
  const text = typed?.trim() ?? '';
  const records = useQuery({
    queryKey: [...recordsKey(tableId), 'mention', text],
    queryFn: async ({ signal }) =>
      (
        await call(listRecords, {
          params: { tableId },
          query: {
            take: 4,
            search: [text, primary as string, 'true'],
            fieldKeyType: 'id',
            projection: [primary as string],
            withGroups: false,
          },
          signal,
        })
      ).records,
    enabled: text.length > 1 && primary !== undefined,
  }).data;
  if (typed === undefined) return [];
  const matches = ({ name }: Mentionable): boolean => name.toLowerCase().includes(text.toLowerCase());
  const of = (kind: Offer['kind'], list: readonly Mentionable[]): Offer[] =>
    list.filter(matches).map(({ id, name }) => ({ id, name, kind }));
  return [
    ...of('Person', people),
    ...of('Field', fields),
    ...of(
      'Record',
      (text.length > 1 ? records : undefined)?.flatMap(({ id, name }) =>
        name === undefined || name === '' ? [] : [{ id, name }],
      ) ?? [],
    ),
  ].slice(0, most);
};

export const Composer = ({ label, action, scene, initial = emptyDraft, onSend, onCancel }: ComposerProps) => {
  const [draft, setDraft] = useState(initial);
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [uploads, setUploads] = useState(0);
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const list = useId();
  const offers = useOffers(scene, typed);
  const chosen = Math.min(at, offers.length - 1);

  const look = (): void => {
    const { value, selectionStart } = area.current as HTMLTextAreaElement;
    setTyped(mentionAt(value, selectionStart, draft.mentions));
  };
  const write = (text: string, caret: number): void => {
    setDraft((before) => ({ ...before, text }));
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
      look();
    });
  };
  const mention = ({ id, name }: Mentionable): void => {
    const { value, selectionStart } = area.current as HTMLTextAreaElement;
    const start = selectionStart - (typed?.length ?? 0);
    setDraft((before) => ({
      ...before,
      mentions: [...before.mentions.filter((other) => other.id !== id), { id, name }],
    }));
    write(`${value.slice(0, start)}${name} ${value.slice(selectionStart)}`, start + name.length + 1);
    setTyped(undefined);
  };
  const begin = (): void => {
    const { value, selectionStart } = area.current as HTMLTextAreaElement;
    const gap = selectionStart === 0 || /[\s(]$/.test(value.slice(0, selectionStart)) ? '' : ' ';
    write(`${value.slice(0, selectionStart)}${gap}@${value.slice(selectionStart)}`, selectionStart + gap.length + 1);
  };
  const add = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) {
      if (!file.type.startsWith('image/')) continue;
      setUploads((count) => count + 1);
      try {
        const { path, presignedUrl } = await uploadFile(
          file,
          scene.baseId,
          () => undefined,
          new AbortController().signal,
          'comment',
        );
        setDraft((before) => ({
          ...before,
          images: [
            ...before.images,
            { type: 'img', path, ...(presignedUrl === undefined ? {} : { url: presignedUrl }) },
          ],
        }));
      } catch (error) {
        showProblem(error, 'The image was not uploaded.');
      }
      setUploads((count) => count - 1);
    }
  };
  const content = contentOf(draft);
  const send = async (): Promise<void> => {
    if (content.length === 0 || busy || uploads > 0) return;
    setBusy(true);
    try {
      await onSend(content);
      setDraft(emptyDraft);
      setTyped(undefined);
    } catch (error) {
      showProblem(error, 'The comment was not saved.');
    }
    setBusy(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (offers.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      setAt((chosen + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length);
      event.preventDefault();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      void send();
      event.preventDefault();
    } else if (offers.length > 0 && (event.key === 'Enter' || event.key === 'Tab')) {
      mention(offers[chosen] as Offer);
      event.preventDefault();
    } else if (event.key === 'Escape' && (typed !== undefined || onCancel !== undefined)) {
      if (typed === undefined) onCancel?.();
      setTyped(undefined);
      event.preventDefault();
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add(event.clipboardData.files);
  };

  return (
    <div
      className="relative rounded-lg border border-line-strong bg-surface focus-within:border-accent"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add(event.dataTransfer.files);
      }}
    >
      <textarea
        ref={area}
        aria-label={label}
        aria-autocomplete="list"
        {...(offers.length === 0 ? {} : { 'aria-controls': list, 'aria-activedescendant': `${list}-${chosen}` })}
        rows={3}
        value={draft.text}
        placeholder="Write a comment. Type @ to mention someone."
        className="block w-full resize-y rounded-lg bg-transparent px-3 py-2 outline-none placeholder:text-ink-faint"
        onChange={({ target }) => {
          setDraft((before) => ({ ...before, text: target.value }));
          setAt(0);
          setTyped(mentionAt(target.value, target.selectionStart, draft.mentions));
        }}
        onClick={look}
        onKeyDown={onKey}
        onPaste={onPaste}
        // What goes away under a pressed button would move the button.
        onBlur={({ currentTarget, relatedTarget }) =>
          currentTarget.parentElement?.contains(relatedTarget) !== true && setTyped(undefined)
        }
      />
      {offers.length > 0 && (
        <ul
          id={list}
          role="listbox"
          aria-label="Mention"
          className="mx-1 mb-1 max-h-56 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          {offers.map((offer, place) => (
            <li
              key={offer.id}
              id={`${list}-${place}`}
              role="option"
              aria-selected={place === chosen}
              className={classNames(
                'flex cursor-default items-center gap-2 rounded-md px-2 py-1.5',
                place === chosen && 'bg-sunken',
              )}
              onPointerDown={(event) => {
                event.preventDefault();
                mention(offer);
              }}
            >
              <span className="min-w-0 flex-1 truncate">{offer.name}</span>
              <span className="text-[12px] text-ink-soft">{offer.kind}</span>
            </li>
          ))}
        </ul>
      )}
      {draft.images.length > 0 && (
        <ul aria-label="Images" className="flex flex-wrap gap-2 px-3 pb-2">
          {draft.images.map((image, place) => (
            <li key={image.path} className="relative">
              <img
                src={image.url}
                alt={`Attached ${place + 1}`}
                className="size-16 rounded-md border border-line object-cover"
              />
              <IconButton
                label={`Remove image ${place + 1}`}
                className="absolute -top-2 -right-2 size-6! bg-raised! shadow-card"
                onClick={() =>
                  setDraft((before) => ({ ...before, images: before.images.filter((one: Image) => one !== image) }))
                }
              >
                <X size={13} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-center gap-1 px-2 pb-2">
        <IconButton label="Mention someone" onClick={begin}>
          <AtSign size={16} />
        </IconButton>
        <IconButton label="Add an image" onClick={() => chooser.current?.click()}>
          <ImagePlus size={16} />
        </IconButton>
        <input
          ref={chooser}
          type="file"
          accept="image/*"
          multiple
          hidden
          aria-label="Images"
          onChange={({ target }) => {
            void add([...(target.files ?? [])]);
            target.value = '';
          }}
        />
        <span role="status" className="flex-1 text-[12px] text-ink-soft">
          {uploads > 0 ? 'Uploading …' : ''}
        </span>
        {onCancel !== undefined && (
          <Button size="small" look="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          size="small"
          look="primary"
          busy={busy}
          disabled={content.length === 0 || uploads > 0}
          onClick={() => void send()}
        >
          {action}
        </Button>
      </div>
    </div>
  );
};
