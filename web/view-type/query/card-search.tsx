// Search in views of cards: what does not match is left out.
import { Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';

const searchAfter = 250;

export const CardSearch = ({ text, onText }: { text: string; onText: (text: string) => void }) => {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => onText(typed.trim()), searchAfter);
    return () => clearTimeout(timer);
    // The timer belongs to what was typed, not to who listens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [typed]);
  return (
    <Popover
      label="Search"
      align="end"
      trigger={
        <ToolbarButton
          icon={<Search size={16} aria-hidden />}
          label={text === '' ? 'Search' : `“${text}”`}
          active={text !== ''}
          isAside
        />
      }
    >
      <div className="flex w-72 max-w-full items-center gap-1">
        <input
          autoFocus
          type="search"
          aria-label="Search in this view"
          placeholder="Search in this view"
          className={inputClass}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <IconButton label="Clear search" disabled={typed === ''} onClick={() => setTyped('')}>
          <X size={16} />
        </IconButton>
      </div>
    </Popover>
  );
};
