import {
  ArrowLeft,
  BookmarkPlus,
  ChevronDown,
  ChevronUp,
  CopyPlus,
  Ellipsis,
  Link2,
  Maximize2,
  Minimize2,
  ShieldCheck,
  Trash2,
  X,
} from 'lucide-react';
import { copyText } from '../ui/copy-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { togglePanelWide, usePanelIsWide } from './panel-frame.tsx';

interface RecordBarProps {
  /** To the record that led here, with the table where this one is; absent: it was opened from its table. */
  onBack?: (() => void) | undefined;
  place?: string | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onDuplicate: (() => void) | undefined;
  onTemplate: (() => void) | undefined;
  onDelete: (() => void) | undefined;
  /** For those who manage the rights. */
  onWho: (() => void) | undefined;
  onClose: () => void;
}

/** What can be done with the open record. */
export const RecordBar = ({
  onBack,
  place,
  onPrevious,
  onNext,
  onDuplicate,
  onTemplate,
  onDelete,
  onWho,
  onClose,
}: RecordBarProps) => {
  const isWide = usePanelIsWide();
  return (
    <div className="flex items-center gap-0.5 px-3 pt-2.5">
      {onBack === undefined ? (
        <>
          <IconButton label="Previous record" disabled={onPrevious === undefined} onClick={onPrevious}>
            <ChevronUp size={18} />
          </IconButton>
          <IconButton label="Next record" disabled={onNext === undefined} onClick={onNext}>
            <ChevronDown size={18} />
          </IconButton>
        </>
      ) : (
        <>
          <IconButton label="Back" onClick={onBack}>
            <ArrowLeft size={18} />
          </IconButton>
          <span className="min-w-0 truncate pl-1 text-[13px] text-ink-soft">{place}</span>
        </>
      )}
      <span className="flex-1" />
      <IconButton label="Copy link" onClick={() => void copyText(window.location.href, 'Link copied.')}>
        <Link2 size={17} />
      </IconButton>
      {(onDuplicate !== undefined || onTemplate !== undefined || onDelete !== undefined) && (
        <Menu
          align="end"
          trigger={
            <IconButton label="More for this record">
              <Ellipsis size={17} />
            </IconButton>
          }
        >
          {onDuplicate !== undefined && (
            <MenuItem icon={<CopyPlus size={16} />} onSelect={onDuplicate}>
              Duplicate record
            </MenuItem>
          )}
          {onTemplate !== undefined && (
            <MenuItem icon={<BookmarkPlus size={16} />} onSelect={onTemplate}>
              Save as template
            </MenuItem>
          )}
          {onWho !== undefined && (
            <MenuItem icon={<ShieldCheck size={16} />} onSelect={onWho}>
              Who sees this record
            </MenuItem>
          )}
          {onDelete !== undefined && (
            <>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 size={16} />} onSelect={onDelete}>
                Delete record
              </MenuItem>
            </>
          )}
        </Menu>
      )}
      <IconButton label={isWide ? 'Narrow panel' : 'Wide panel'} className="max-sm:hidden" onClick={togglePanelWide}>
        {isWide ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
      </IconButton>
      <IconButton label="Close record" onClick={onClose}>
        <X size={18} />
      </IconButton>
    </div>
  );
};
